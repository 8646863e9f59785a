/** What only the edges of the package may use: Node, a framework, the process. The core runs on Web APIs alone. */
import { isBuiltin } from "node:module"
import ts from "typescript"
import { descendants, placeOf, type Import, type Module } from "./modules.js"

const edges = ["index.ts", "express/", "next/", "qwik/", "solid/", "astro/", "adapters/", "cli/", "testing/"]

function isEdge(path: string): boolean {
  return path.endsWith(".node.ts") || edges.some((edge) => path.startsWith(`src/${edge}`))
}

const frameworks = new Set(["express", "ejs"])

/** Imports of Node's modules, of Express and of ejs, types included. */
export function findPlatformImports(modules: readonly Module[]): readonly string[] {
  return modules
    .filter(({ path }) => !isEdge(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => isBuiltin(specifier) || frameworks.has(packageOf(specifier) ?? ""))
        .map(({ specifier, line }) => `${path}:${line} imports "${specifier}"`),
    )
}

const platformGlobals = new Set(["process", "Buffer", "global", "__dirname", "__filename", "require", "setImmediate"])

/** Uses of what Node alone has without an import. */
export function findPlatformGlobals(modules: readonly Module[]): readonly string[] {
  return modules
    .filter(({ path }) => !isEdge(path))
    .flatMap((module) =>
      descendants(module.tree)
        .filter((node) => ts.isIdentifier(node) && platformGlobals.has(node.text) && !isMemberName(node))
        .map((node) => `${placeOf(module, node)} uses ${node.getText()}`),
    )
}

/** Whether a name says which member of something is meant, unless this something is the global object. */
function isMemberName(name: ts.Node): boolean {
  const { parent } = name
  if (ts.isPropertyAccessExpression(parent)) return parent.name === name && parent.expression.getText() !== "globalThis"
  if (ts.isQualifiedName(parent)) return parent.right === name
  const isMember = ts.isClassElement(parent) || ts.isTypeElement(parent) || ts.isPropertyAssignment(parent)
  return isMember && parent.name === name
}

/** Packages that a place may import; the first that fits counts. Other places may import what package.json names. */
const allowedPackages: Readonly<Record<string, readonly string[]>> = {
  "src/core/http/fetch.node.ts": ["undici"],
  "src/core/": ["jose", "openid-client", "oauth4webapi", "cookie", "lru-cache"],
  "src/providers/": [],
  "src/client/": [],
}

/** Imports of packages that were not meant for their place. */
export function findForeignPackages(modules: readonly Module[]): readonly string[] {
  return modules.flatMap(({ path, imports }) => {
    const [allowed] = Object.entries(allowedPackages).flatMap(([place, names]) =>
      path.startsWith(place) ? [names] : [],
    )
    if (!allowed) return []
    return packageImports(imports)
      .filter(({ name }) => !allowed.includes(name))
      .map(({ name, line }) => `${path}:${line} imports the package ${name}`)
  })
}

/** Packages that are imported, though whoever installs ours does not get them and is not told of them. */
export function findUndeclaredPackages(modules: readonly Module[], declared: ReadonlySet<string>): readonly string[] {
  return modules.flatMap(({ path, imports }) =>
    packageImports(imports)
      .filter(({ name }) => !declared.has(name))
      .map(({ name, line }) => `${path}:${line} imports ${name}, which is no dependency or peer`),
  )
}

/** Packages that everybody has to install, though nothing imports them. */
export function findUnusedPackages(modules: readonly Module[], dependencies: readonly string[]): readonly string[] {
  const used = new Set(modules.flatMap(({ imports }) => packageImports(imports).map(({ name }) => name)))
  return dependencies.filter((name) => !used.has(name))
}

function packageImports(imports: readonly Import[]): readonly { readonly name: string; readonly line: number }[] {
  return imports.flatMap(({ specifier, line, targets }) => {
    const name = targets.length > 0 || isBuiltin(specifier) ? undefined : packageOf(specifier)
    return name === undefined ? [] : [{ name, line }]
  })
}

/** `@scope/name` of `@scope/name/path`; nothing for a relative import. */
function packageOf(specifier: string): string | undefined {
  return /^(?:@[^/]+\/)?[^./#][^/]*/.exec(specifier)?.[0]
}
