/** Habits that a syntax tree shows. Each check returns its violations, with their place. */
import ts from "typescript"
import { descendants, placeOf, type Module } from "./modules.js"

type Check = (modules: readonly Module[]) => readonly string[]

/** A check that finds every node that `is` recognises and tells what it `says`. */
function nodesThat(is: (node: ts.Node, module: Module) => boolean, says: string): Check {
  return (modules) =>
    modules.flatMap((module) =>
      descendants(module.tree)
        .filter((node) => is(node, module))
        .map((node) => `${placeOf(module, node)} ${says}`),
    )
}

export const findExportStars = nodesThat(
  (node) => ts.isExportDeclaration(node) && !!node.moduleSpecifier && !isNamed(node.exportClause),
  "exports everything of a module: export by name",
)

function isNamed(clause: ts.NamedExportBindings | undefined): boolean {
  return clause !== undefined && ts.isNamedExports(clause)
}

export const findModuleState = nodesThat(
  (node) =>
    ts.isVariableStatement(node) &&
    ts.isSourceFile(node.parent) &&
    (node.declarationList.flags & ts.NodeFlags.Const) === 0 &&
    !hasModifier(node, ts.SyntaxKind.DeclareKeyword),
  "declares a variable that can change at module level",
)

/** Statements that do something when a module is loaded. `"sideEffects": false` promises bundlers that none does. */
export const findLoadEffects = nodesThat(
  (node) => !ts.isSourceFile(node) && ts.isSourceFile(node.parent) && doesSomething(node),
  "does something when the module is loaded",
)

function doesSomething(statement: ts.Node): boolean {
  return (
    ts.isExpressionStatement(statement) ||
    ts.isIfStatement(statement) ||
    ts.isIterationStatement(statement, false) ||
    ts.isTryStatement(statement) ||
    (ts.isImportDeclaration(statement) && statement.importClause === undefined)
  )
}

const mayExportDefault = /^src\/(?:providers\/|(?:next|astro)\/index\.ts$)/

export const findDefaultExports = nodesThat(
  (node, { path }) => !mayExportDefault.test(path) && isDefaultExport(node),
  "has a default export: export by name",
)

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true
  if (ts.isExportSpecifier(node)) return node.name.text === "default"
  return hasModifier(node, ts.SyntaxKind.DefaultKeyword)
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind)
}

/** `require()` cannot load a module that awaits while it is loaded. */
export const findTopLevelAwaits = nodesThat(
  (node) =>
    (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined)) &&
    ts.findAncestor(node, ts.isFunctionLike) === undefined,
  "awaits at module level",
)

/** Modules that only pass on what others export, and are not what applications import. */
export function findBarrels(modules: readonly Module[], entries: ReadonlySet<string>): readonly string[] {
  return modules
    .filter(({ path, tree }) => !entries.has(path) && (/\/index\.tsx?$/.test(path) || onlyPassesOn(tree)))
    .map(({ path }) => `${path} is no entry of the package: import from the file itself`)
}

function onlyPassesOn({ statements }: ts.SourceFile): boolean {
  return statements.length > 0 && statements.every((each) => ts.isExportDeclaration(each) && !!each.moduleSpecifier)
}

/** Files of more than `limit` lines. */
export function findLongFiles(modules: readonly Module[], limit: number): readonly string[] {
  return modules.flatMap(({ path, tree }) => {
    const lines = tree.text.trimEnd().split("\n").length
    return lines > limit ? [`${path} has ${lines} lines, more than ${limit}`] : []
  })
}

/** Functions of more than `limit` lines, blank ones and comments left out. */
export function findLongFunctions(modules: readonly Module[], limit: number): readonly string[] {
  return modules.flatMap((module) =>
    descendants(module.tree)
      .filter((node) => ts.isFunctionLike(node) && codeLines(node, module.tree) > limit)
      .map((node) => `${placeOf(module, node)} is a function of ${codeLines(node, module.tree)} lines`),
  )
}

function codeLines(node: ts.Node, tree: ts.SourceFile): number {
  return node
    .getText(tree)
    .split("\n")
    .filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length
}
