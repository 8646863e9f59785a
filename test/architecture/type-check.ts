/** The type checker, over files of the project and over texts that are in no file. */
import { join, relative } from "node:path"
import ts from "typescript"
import { project } from "./modules.js"

/** Texts by the absolute path of the file that they would be. */
export type Texts = ReadonlyMap<string, string>

export interface TypeCheck {
  /** Files of the project, from its root. */
  readonly files?: readonly string[]
  readonly texts: Texts
  /** Override those of tsconfig.json. */
  readonly options: ts.CompilerOptions
}

/** What is wrong with files and texts, and with everything that they import. */
export function checkAll(check: TypeCheck): readonly string[] {
  return ts.getPreEmitDiagnostics(createProgram(check)).map((problem) => describeProblem(problem, project))
}

/** What is wrong with the texts alone, in less time. */
export function checkTexts(check: TypeCheck): readonly string[] {
  const program = createProgram(check)
  return [...check.texts.keys()]
    .flatMap((path) => ts.getPreEmitDiagnostics(program, program.getSourceFile(path)))
    .map((problem) => describeProblem(problem, project))
}

function createProgram({ files = [], texts, options }: TypeCheck): ts.Program {
  const all = { ...readOptions(), ...options }
  const rootNames = [...files.map((file) => join(project, file)), ...texts.keys()]
  return ts.createProgram({ rootNames, options: all, host: createHost(all, texts) })
}

function readOptions(): ts.CompilerOptions {
  const path = join(project, "tsconfig.json")
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name)) as { readonly config: unknown }
  return ts.parseJsonConfigFileContent(config, ts.sys, project, {}, path).options
}

function createHost(options: ts.CompilerOptions, texts: Texts): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  return {
    ...host,
    getCurrentDirectory: () => project,
    fileExists: (path) => texts.has(path) || host.fileExists(path),
    readFile: (path) => texts.get(path) ?? host.readFile(path),
    getSourceFile(path, target, ...others) {
      const text = texts.get(path)
      return text === undefined ? host.getSourceFile(path, target, ...others) : ts.createSourceFile(path, text, target)
    },
  }
}

/** What the compiler says, with its place below `folder`. */
export function describeProblem({ file, start, messageText, code }: ts.Diagnostic, folder: string): string {
  const text = `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  if (!file) return text
  const { line } = file.getLineAndCharacterOfPosition(start ?? 0)
  return `${relative(folder, file.fileName)}:${line + 1} ${text}`
}
