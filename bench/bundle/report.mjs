// @ts-check
import { renderTable } from "../lib/table.mjs"
import { nameWithVersion } from "../lib/versions.mjs"

/** @typedef {import("./contenders.mjs").Contender} Contender */
/** @typedef {import("./make-bundle.mjs").Bundle} Bundle */
/** @typedef {{ contender: Contender, bundle: Bundle }} Bundled */

const largestCount = 5

/** @param {readonly Bundled[]} bundled */
export function renderBundles(bundled) {
  const rows = bundled.map(({ contender, bundle }) => [
    labelOf(contender),
    describeBytes(bundle.bytes),
    describeBytes(bundle.gzipBytes),
    describeBytes(bundle.brotliBytes),
    bundle.nodeModules.join(", ") || "none",
  ])
  return renderTable(["", "bytes", "gzip", "brotli", "modules of Node"], rows)
}

/** @param {Bundled} bundled */
export function describeInputs({ contender, bundle: { inputs, bytes } }) {
  const largest = [...inputs].sort((a, b) => b.bytes - a.bytes).slice(0, largestCount)
  const lines = largest.map(
    (input) => `- \`${input.path}\`: ${describeBytes(input.bytes)} (${((input.bytes / bytes) * 100).toFixed(0)}%)`,
  )
  return [
    `The largest of the ${inputs.length} inputs of ${labelOf(contender)}, in bytes of the bundle:`,
    "",
    ...lines,
  ].join("\n")
}

/** @param {Bundled} bundled */
export function describeNeeds({ contender, bundle: { nodeModules } }) {
  if (nodeModules.length === 0) return []
  return [`**Failed.** ${labelOf(contender)} is to do without Node, but imports ${nodeModules.join(", ")}.`]
}

/** @param {Contender} contender */
function labelOf({ name, note }) {
  return [nameWithVersion(name), ...(note ? [note] : [])].join(", ")
}

/** @param {number} bytes */
function describeBytes(bytes) {
  return bytes.toLocaleString("en")
}
