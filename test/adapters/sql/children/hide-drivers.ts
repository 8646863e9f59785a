/** Makes this a Node without `node:sqlite`, where nobody has installed `libsql`. To be loaded first. */
import Module from "node:module"

type Resolve = (request: string, ...rest: unknown[]) => string

const modules = Module as unknown as { _resolveFilename: Resolve }
const resolve = modules._resolveFilename

Object.assign(process, { getBuiltinModule: undefined })
modules._resolveFilename = (request, ...rest) => {
  if (request !== "libsql") return resolve.call(Module, request, ...rest)
  throw Object.assign(new Error("Cannot find module 'libsql'"), { code: "MODULE_NOT_FOUND" })
}
