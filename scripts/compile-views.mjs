/**
 * Compiles views/ into src/core/pages/compiled-views.ts, a module of plain typed functions: at run time there is no ejs,
 * no file and no evaluation of text.
 *
 * The first line of a view names its locals with their types, `<%# page: SignInPage, nonce: string -%>`, so that the type
 * checker reads every view. `include("partials/head", { … })` becomes a call of that view's function.
 */
import { readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import ejs from "ejs"

const project = join(dirname(fileURLToPath(import.meta.url)), "..")
const views = join(project, "views")
const output = join(project, "src", "core", "pages", "compiled-views.ts")

const read = (name) => readFile(join(views, name), "utf8")

/** Names of the files with an ending, in the same order on every machine. */
async function list(folder, ending) {
  const names = await readdir(join(views, folder))
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => posix.join(folder, name.slice(0, -ending.length)))
}

/** `partials/provider-form` becomes `partialsProviderForm`. */
function functionName(view) {
  return view.replace(/[^a-z]+([a-z])/g, (_, letter) => letter.toUpperCase())
}

/** Splits at commas that stand in no bracket. */
function splitDeclarations(text) {
  const parts = [""]
  let depth = 0
  for (const character of text) {
    if ("<({[".includes(character)) depth++
    if (">)}]".includes(character)) depth--
    if (character === "," && depth === 0) parts.push("")
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim()).filter(Boolean)
}

/** What `<%# name: Type, … -%>` at the top of a view says of its locals. */
function readLocals(text) {
  const declared = /^<%#(.*?)[-_]?%>/.exec(text)?.[1] ?? ""
  return splitDeclarations(declared).map((declaration) => {
    const [, name, type] = /^(\w+):\s*(.+)$/.exec(declaration) ?? []
    if (!name) throw new Error(`expected "name: Type" in the first line of a view, got ${JSON.stringify(declaration)}`)
    return { name, type }
  })
}

/** The statements that write a view. */
function compileBody(view, text) {
  const template = new ejs.Template(text, {
    strict: true,
    compileDebug: false,
    rmWhitespace: true,
    localsName: "locals",
  })
  template.generateSource()
  return template.source
    .replace(/^ *; __append\(/gm, "  ; output += (")
    .replace(/\binclude\("([^"]+)", /g, (_, path) => `${functionName(posix.join(posix.dirname(view), path))}(`)
}

async function compileView(view) {
  const text = await read(`${view}.ejs`)
  const locals = readLocals(text)
  const scope = view.startsWith("partials/") ? "" : "export "
  const names = locals.map(({ name }) => name).join(", ")
  const types = locals.map(({ name, type }) => `readonly ${name}: ${type}`).join("; ")
  return {
    locals,
    source: [
      `${scope}function ${functionName(view)}({ ${names} }: { ${types} }): string {`,
      `  let output = ""`,
      compileBody(view, text).trimEnd(),
      `  return output`,
      `}`,
    ].join("\n"),
  }
}

function minifyCss(css) {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};]) ?/g, "$1")
    .replace(/([:,]) /g, "$1")
    .replace(/;}/g, "}")
    .trim()
}

/** An SVG file as it stands inside a page: decoration beside a name, without what only a file needs. */
function inlineSvg(svg) {
  return svg
    .replace(/ xmlns="[^"]*"/, "")
    .replace(/^<svg /, '<svg width="24" height="24" aria-hidden="true" focusable="false" ')
    .replace(/>\s+</g, "><")
    .trim()
}

/** Types of the page models that the declarations mention. */
function modelTypes(locals, models) {
  const exported = [...models.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name)
  return exported.filter((name) => locals.some(({ type }) => new RegExp(`\\b${name}\\b`).test(type))).sort()
}

const names = [...(await list("partials", ".ejs")), ...(await list("", ".ejs"))]
const compiled = await Promise.all(names.map(compileView))
const models = await readFile(join(project, "src", "core", "pages", "models.ts"), "utf8")
const imports = modelTypes(
  compiled.flatMap(({ locals }) => locals),
  models,
)
const logos = await Promise.all(
  (await list("logos", ".svg")).map(async (logo) => [posix.basename(logo), inlineSvg(await read(`${logo}.svg`))]),
)

const source = `/** Written by scripts/compile-views.mjs from views/. Change those. */
/* eslint-disable */
import type { ${imports.join(", ")} } from "./models.js"

/** The style sheet of all pages. */
export const css = ${JSON.stringify(minifyCss(await read("theme.css")))}

/** Built-in logos, by provider id. */
export const logos: ReadonlyMap<string, string> = new Map(${JSON.stringify(logos, null, 2)})

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" }

function escapeFn(value: string | number): string {
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? "")
}

${compiled.map((view) => view.source).join("\n\n")}
`

// Tests may be reading it.
if ((await readFile(output, "utf8").catch(() => "")) !== source) await writeFile(output, source)
