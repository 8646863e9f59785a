// @ts-check

/**
 * Why bars are missed, for each workload of which one is.
 *
 * @param {readonly import("../lib/outcome.mjs").Bar[]} bars
 * @param {string} explanations Markdown with a section `### (letter)` for each workload that may fall short.
 */
export function renderShortfalls(bars, explanations) {
  const missed = new Set(bars.filter(({ isMet }) => !isMet).map(({ workload }) => workload))
  if (missed.size === 0) return ""
  const sections = readSections(explanations)
  const parts = [...missed].map((workload) => sections.get(workload) ?? `### (${workload})\n\nNo explanation yet.`)
  return ["## Where a bar is not met", ...parts].join("\n\n")
}

/** @param {string} markdown */
function readSections(markdown) {
  const [, ...sections] = markdown.split(/^(?=### )/m)
  return new Map(sections.map((section) => [/^### \((\w+)\)/.exec(section)?.[1], section.trim()]))
}
