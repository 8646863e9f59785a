/** Type-checks the code of a document against the source, every block as a module of its own. */
import { join } from "node:path"
import ts from "typescript"
import { project } from "../architecture/modules.js"
import { checkTexts, type Texts } from "../architecture/type-check.js"
import { readBlocks } from "./markdown.js"

const endings: Readonly<Record<string, string>> = {
  ts: "ts",
  typescript: "ts",
  tsx: "tsx",
  js: "js",
  javascript: "js",
  jsx: "jsx",
}

/** The blocks to check: their code by file name, at the lines that it has in the document. */
export function modulesOf(document: string, text: string): Texts {
  const blocks = readBlocks(text).flatMap(({ language, line, code }) => {
    const ending = endings[language]
    if (ending === undefined) return []
    return [[join(project, `${document}#${line}.${ending}`), "\n".repeat(line - 1) + code] as const]
  })
  return new Map(blocks)
}

/** What is wrong with the modules. They see each other's `declare module`, as the files of one application do. */
export function checkModules(modules: Texts): readonly string[] {
  const options = {
    moduleDetection: ts.ModuleDetectionKind.Force,
    allowJs: true,
    checkJs: true,
    jsx: ts.JsxEmit.Preserve,
    // The variables of an example may go unused.
    noUnusedLocals: false,
    noUnusedParameters: false,
  }
  return checkTexts({ texts: modules, options })
}
