/** Where messages go. Nothing secret gets there: metadata is redacted by name. */
import { rowOf } from "../error-table.js"
import { AuthError, isAuthError } from "../errors.js"
import { isPromise } from "../awaitable.js"
import { isError, messageChain } from "../thrown.js"
import type { LoggerInstance, WarningCode } from "../types.js"
import { withoutRepeats } from "./repeats.js"

const consoleLogger: LoggerInstance = {
  error(error) {
    const name = isAuthError(error) ? error.type : error.name
    const reference = error instanceof AuthError && error.correlationId ? ` (reference ${error.correlationId})` : ""
    console.error(`\u001b[31m[auth][error]\u001b[0m ${name}${reference}: ${oneLine(error.message)}`)
    const { err, ...details } = causeOf(error)
    // What a person did wrong needs no stack: it is no defect.
    if (isAuthError(error) && rowOf(error).status < 500) return
    if (isError(err)) console.error("\u001b[31m[auth][cause]\u001b[0m:", oneLine(messageChain(err)), stackOf(err))
    else console.error(stackOf(error))
    if (Object.keys(details).length > 0) console.error("\u001b[31m[auth][details]\u001b[0m:", stringify(details))
  },
  warn(code) {
    console.warn(`\u001b[33m[auth][warn][${code}]\u001b[0m`, warnings[code])
  },
  debug(message, metadata) {
    console.log(`\u001b[90m[auth][debug]:\u001b[0m ${message}`, metadata === undefined ? "" : stringify(metadata))
  },
}

const warnings: Readonly<Record<WarningCode, string>> = {
  "csrf-disabled": "CSRF protection is off: the framework must protect against CSRF by itself.",
  "debug-enabled": "Debug messages are on: do not leave them on in production.",
  "env-url-basepath-mismatch": "The path of AUTH_URL differs from the base path, and is ignored.",
  "env-url-basepath-redundant": "Both AUTH_URL and basePath give a path: basePath is used.",
  "experimental-webauthn": "WebAuthn is experimental.",
  "proxy-not-trusted":
    'A proxy says that the public address is https, but Express does not trust it: add app.set("trust proxy", 1), or set AUTH_URL.',
}

function tellOfRepeats(message: string): void {
  console.error(`\u001b[31m[auth][error]\u001b[0m ${oneLine(message)}`)
}

/** The configured logger, completed with the console, and silent about debug messages unless they are wanted. */
export function createLogger(given?: Partial<LoggerInstance>, debug = false): LoggerInstance {
  const custom = usableLevels(given)
  const silent = () => undefined
  const write = custom.debug ?? (debug ? consoleLogger.debug : silent)
  return guarded({
    error: custom.error ?? withoutRepeats({ write: consoleLogger.error, tell: tellOfRepeats }),
    warn: custom.warn ?? consoleLogger.warn,
    debug: write === silent ? silent : (message, metadata) => write(message, redact(metadata)),
  })
}

/** A logger that is none is a problem of the configuration, and there must be something to report it with. */
function usableLevels(given: Partial<LoggerInstance> | null | undefined): Partial<LoggerInstance> {
  const levels = (["error", "warn", "debug"] as const).flatMap((name) => {
    const level: unknown = given?.[name]
    return typeof level === "function" ? [[name, level.bind(given) as unknown] as const] : []
  })
  return Object.fromEntries(levels)
}

/** A logger that throws must not change what happens to a request. */
function guarded(logger: LoggerInstance): LoggerInstance {
  const complain = (error: unknown) => console.error("[auth] the logger threw:", error)
  const safely = <A extends readonly unknown[]>(write: (...message: A) => unknown) => {
    return (...message: A) => {
      try {
        const written = write(...message)
        if (isPromise(written)) written.then(undefined, complain)
      } catch (error) {
        complain(error)
      }
    }
  }
  return { error: safely(logger.error), warn: safely(logger.warn), debug: safely(logger.debug) }
}

const secretName = /token|secret|password|passwd|code|cookie|authorization|verifier|state|nonce|csrf|assertion|key$/i

/** Copies a value with everything that goes by the name of a secret replaced. */
export function redact(value: unknown, depth = 0): unknown {
  if (depth > 6) return "…"
  if (isError(value)) return { name: value.name, message: value.message }
  if (value instanceof URL) return `${value.origin}${value.pathname}`
  if (Array.isArray(value)) return value.map((each) => redact(each, depth + 1))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretName.test(name) ? "[redacted]" : redact(member, depth + 1),
    ]),
  )
}

function causeOf(error: Error): Readonly<Record<string, unknown>> {
  return typeof error.cause === "object" && error.cause !== null ? { ...error.cause } : {}
}

function stringify(value: unknown): string {
  return JSON.stringify(redact(value), undefined, 2)
}

/** Where an error was thrown, without its message, which is written on a line of its own. */
function stackOf({ stack = "", message }: Error): string {
  const at = stack.indexOf(message)
  return at === -1 ? "" : stack.slice(at + message.length)
}

/** A message may quote what a client sent: it must not forge a line of the log. */
function oneLine(message: string): string {
  return message.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
}
