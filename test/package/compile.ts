/** Type-checks and compiles an application, as `tsc` would. */
import { dirname, join } from "node:path"
import ts from "typescript"
import { describeProblem } from "../architecture/type-check.js"

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  declaration: true,
  skipLibCheck: true,
}

/** Writes the output of `files` into `out/`, and tells what is wrong with them, each problem with its place. */
export function compile(folder: string, files: readonly string[], own: ts.CompilerOptions): readonly string[] {
  const all: ts.CompilerOptions = { ...options, rootDir: folder, outDir: join(folder, "out"), ...own }
  const rootNames = files.map((file) => join(folder, file))
  const program = ts.createProgram({ rootNames, options: all, host: createHost(all, folder) })
  const problems = ts.getPreEmitDiagnostics(program)
  program.emit()
  return problems.map((problem) => describeProblem(problem, folder))
}

// The declarations of the language are the same for every application. Parsing them once saves time.
const libraries = new Map<string, ts.SourceFile | undefined>()

function createHost(all: ts.CompilerOptions, folder: string): ts.CompilerHost {
  const host = ts.createCompilerHost(all)
  const isLibrary = (path: string): boolean => path.startsWith(dirname(ts.getDefaultLibFilePath(all)))
  return {
    ...host,
    getCurrentDirectory: () => folder,
    getSourceFile(path, ...parameters) {
      if (!isLibrary(path)) return host.getSourceFile(path, ...parameters)
      if (!libraries.has(path)) libraries.set(path, host.getSourceFile(path, ...parameters))
      return libraries.get(path)
    },
  }
}
