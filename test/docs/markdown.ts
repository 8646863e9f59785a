/** What the checks read in a Markdown text. */

export interface CodeBlock {
  /** As the fence names it: `ts`, `sh`. Empty when it names none. */
  readonly language: string
  readonly code: string
  /** Of the first line of code, counted from 1. */
  readonly line: number
}

export function readBlocks(text: string): readonly CodeBlock[] {
  return [...text.matchAll(/^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```/gm)].map((match) => {
    const [, indent = "", language = "", code = ""] = match
    const line = text.slice(0, match.index).split("\n").length + 1
    return { language, line, code: code.replaceAll(new RegExp(`^${indent}`, "gm"), "") }
  })
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```/gm, "")
}

/** Addresses of links and images that lead to a file of the project, or to a heading of one. */
export function readRelativeLinks(text: string): readonly string[] {
  const prose = withoutBlocks(text).replaceAll(/`[^`\n]*`/g, "``")
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)]
  const references = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)]
  const markup = [...prose.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)]
  return [...inline, ...references, ...markup]
    .map(([, address]) => address ?? "")
    .filter((address) => !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address))
}

/** What an address may name after `#`, as GitHub makes it of headings. */
export function readAnchors(text: string): ReadonlySet<string> {
  const headings = [...withoutBlocks(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) => slugOf(heading ?? ""))
  return new Set(headings)
}

function slugOf(heading: string): string {
  const spoken = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase()
  return spoken
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-")
}

const npmOwn = new Set([
  "install",
  "i",
  "ci",
  "init",
  "create",
  "pack",
  "publish",
  "exec",
  "uninstall",
  "update",
  "view",
])

/** Names of the package's scripts that the text tells the reader to run: `npm run bench`, `npm test`. */
export function readScripts(text: string): readonly string[] {
  const commands = [...text.matchAll(/\bnpm (?:run |run-script )?([a-z][\w:-]*)/g)]
  const run = commands.filter(([command, name = ""]) => command.includes(" run") || !npmOwn.has(name))
  return [...new Set(run.map(([, name = ""]) => name))]
}
