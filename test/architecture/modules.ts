/** Source files as the checks of this folder see them: a path, a syntax tree, and what it imports. */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix, sep } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

export const project = fileURLToPath(new URL("../..", import.meta.url))

export interface Import {
  readonly specifier: string
  readonly line: number
  /** Whether nothing of it is left at run time, as with `import type`. */
  readonly isErased: boolean
  /** The files of the project that it may lead to; none for a package. */
  readonly targets: readonly string[]
}

export interface Module {
  /** From the root of the project, with slashes: `src/core/auth.ts`. */
  readonly path: string
  readonly tree: ts.SourceFile
  readonly imports: readonly Import[]
}

/** Where a specifier that is not relative leads: `#jwe`, `latchkey/core`. */
export type Aliases = ReadonlyMap<string, readonly string[]>

export function parseModule(path: string, text: string, aliases: Aliases = new Map()): Module {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const imports = descendants(tree).flatMap((node): Import[] => {
    const found = readImport(node)
    if (!found) return []
    const targets = aliases.get(found.specifier) ?? relativeTarget(path, found.specifier)
    return [{ ...found, line: lineOf(tree, node), targets }]
  })
  return { path, tree, imports }
}

/** Every module below `src`. */
export function readSource(aliases: Aliases): readonly Module[] {
  return listFiles("src")
    .filter((path) => path.endsWith(".ts") || path.endsWith(".tsx"))
    .map((path) => parseModule(path, readFileSync(join(project, path), "utf8"), aliases))
}

export function listFiles(folder: string): readonly string[] {
  return readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length).split(sep).join("/"))
    .sort()
}

/** The node and everything below it, in the order of the text. */
export function descendants(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = []
  const visit = (each: ts.Node): void => {
    found.push(each)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return found
}

export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}

/** How a violation begins: `src/core/auth.ts:12`. */
export function placeOf({ path, tree }: Module, node: ts.Node): string {
  return `${path}:${lineOf(tree, node)}`
}

type Found = Pick<Import, "specifier" | "isErased">

/** With `verbatimModuleSyntax`, only `import type` and `export type` vanish: `import { type A }` still loads the file. */
function readImport(node: ts.Node): Found | undefined {
  if (ts.isImportDeclaration(node)) {
    const isErased = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    return found(node.moduleSpecifier, isErased)
  }
  if (ts.isExportDeclaration(node)) return found(node.moduleSpecifier, node.isTypeOnly)
  if (ts.isImportTypeNode(node)) return found(ts.isLiteralTypeNode(node.argument) && node.argument.literal, true)
  if (ts.isExternalModuleReference(node)) return found(node.expression, false)
  if (ts.isCallExpression(node) && isLoader(node.expression)) return found(node.arguments[0], false)
  return undefined
}

function found(specifier: ts.Node | false | undefined, isErased: boolean): Found | undefined {
  return specifier && ts.isStringLiteralLike(specifier) ? { specifier: specifier.text, isErased } : undefined
}

function isLoader(called: ts.Expression): boolean {
  return called.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(called) && called.text === "require")
}

function relativeTarget(from: string, specifier: string): readonly string[] {
  if (!specifier.startsWith(".")) return []
  return [posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".ts")]
}
