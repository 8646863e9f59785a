import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { createLogger, redact } from "../../../src/core/config/logger.js"
import { AccessDenied, JWTSessionError } from "../../../src/core/errors.js"
import { recordingLogger } from "../../support/core-recording-logger.js"

const written: string[] = []
beforeEach(() => {
  written.length = 0
  for (const level of ["log", "warn", "error"] as const) {
    jest.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      // The colours are not what is tested.
      written.push(
        parts
          .map(String)
          .join(" ")
          .replace(/\u001b\[\d+m/g, ""),
      )
    })
  }
})
afterEach(() => {
  jest.restoreAllMocks()
})

describe("the console", () => {
  it("gets errors with their type, and the cause's words and stack", () => {
    createLogger().error(new JWTSessionError(new Error("no matching decryption secret")))

    expect(written[0]).toMatch(/^\[auth\]\[error\] JWTSessionError: /)
    expect(written[1]).toMatch(/^\[auth\]\[cause\]: .*no matching decryption secret/)
    expect(written[1]).toContain("\n    at ")
  })

  it("gets errors of other classes with their name", () => {
    createLogger().error(new RangeError("too long"))

    expect(written[0]).toBe("[auth][error] RangeError: too long")
  })

  it("gets what else a cause says, without secrets", () => {
    createLogger().error(
      new JWTSessionError("x", { cause: { err: new Error("y"), provider: "idp", id_token: "t0ken" } }),
    )

    expect(written.join("\n")).toContain("idp")
    expect(written.join("\n")).not.toContain("t0ken")
  })

  it("gets warnings with their code", () => {
    createLogger().warn("csrf-disabled")

    expect(written[0]).toMatch(/^\[auth\]\[warn\]\[csrf-disabled\] /)
  })

  it("gets debug messages only when they are wanted, without secrets", () => {
    createLogger().debug("silent", {})
    createLogger({}, true).debug("hello", { user: "Ann", clientSecret: "s3cret" })

    expect(written).toHaveLength(1)
    expect(written[0]).toMatch(/^\[auth\]\[debug\]: hello /)
    expect(written[0]).toContain("Ann")
    expect(written[0]).not.toContain("s3cret")
  })

  it("gets the same error ten times a second at most", () => {
    jest.useFakeTimers()
    const logger = createLogger()
    for (let count = 0; count < 50; count++) logger.error(new AccessDenied("no"))
    expect(written).toHaveLength(10)

    jest.advanceTimersByTime(1000)
    expect(written.slice(10)).toEqual([expect.stringContaining("40 more like this: AccessDenied: no")])
    jest.useRealTimers()
  })

  it("gets no line that a client made up", () => {
    createLogger().error(new AccessDenied("x\n[auth][error] forged\r\nagain"))

    expect(written[0]).not.toMatch(/[\r\n]/)
  })
})

describe("a logger of the application", () => {
  it("gets what is logged, and the console nothing", () => {
    const own = recordingLogger()
    const logger = createLogger(own)
    const error = new AccessDenied("no")
    logger.error(error)
    logger.warn("csrf-disabled")
    logger.debug("hello", { a: 1 })

    expect(own.errors).toEqual([error])
    expect(own.warnings).toEqual(["csrf-disabled"])
    expect(own.messages).toEqual([["hello", { a: 1 }]])
    expect(written).toEqual([])
  })

  it("gets the very error, not a copy", () => {
    const own = recordingLogger()
    const error = new AccessDenied("no")
    createLogger(own).error(error)

    expect(own.errors[0]).toBe(error)
  })

  it("gets debug messages even when debug is off, without secrets", () => {
    const own = recordingLogger()
    createLogger(own, false).debug("hello", { access_token: "t0ken" })

    expect(own.messages).toEqual([["hello", { access_token: "[redacted]" }]])
  })

  it("leaves to the console the levels that it does not have", () => {
    const { warn, warnings } = recordingLogger()
    const logger = createLogger({ warn })
    logger.warn("csrf-disabled")
    logger.error(new Error("x"))

    expect(warnings).toEqual(["csrf-disabled"])
    expect(written[0]).toBe("[auth][error] Error: x")
  })

  it("may be an instance of a class whose methods use it", () => {
    class Own {
      readonly lines: string[] = []
      error(error: Error) {
        this.lines.push(error.message)
      }
      warn(code: string) {
        this.lines.push(code)
      }
      debug(message: string) {
        this.lines.push(message)
      }
    }
    const own = new Own()
    const logger = createLogger(own)
    logger.error(new Error("a"))
    logger.warn("csrf-disabled")
    logger.debug("c")

    expect(own.lines).toEqual(["a", "csrf-disabled", "c"])
  })

  it("changes nothing by throwing", () => {
    const fail = () => {
      throw new Error("disk full")
    }
    const logger = createLogger({ error: fail, warn: fail, debug: fail })

    expect(() => {
      logger.error(new Error("x"))
      logger.warn("csrf-disabled")
      logger.debug("y")
    }).not.toThrow()
    expect(written).toHaveLength(3)
  })
})

describe("a logger of the application that is asynchronous", () => {
  // A rejection that nobody handles ends the process.
  it("changes nothing by rejecting", async () => {
    const fail = () => Promise.reject(new Error("disk full"))
    const logger = createLogger({ error: fail, warn: fail, debug: fail })
    logger.error(new Error("x"))
    logger.warn("csrf-disabled")
    logger.debug("y")

    await new Promise((resolve) => setImmediate(resolve))
    expect(written).toHaveLength(3)
  })
})

describe("redact", () => {
  it.each([
    "access_token",
    "idToken",
    "clientSecret",
    "password",
    "passwd",
    "code",
    "cookie",
    "set-cookie",
    "Authorization",
    "code_verifier",
    "state",
    "nonce",
    "csrfToken",
    "client_assertion",
    "apiKey",
    "privateKey",
  ])("replaces the value of %s, wherever it stands", (name) => {
    expect(redact({ [name]: "s3cret", other: "x", deep: [{ [name]: { a: "s3cret" } }] })).toEqual({
      [name]: "[redacted]",
      other: "x",
      deep: [{ [name]: "[redacted]" }],
    })
  })

  it("keeps of an address only where it leads, not its parameters", () => {
    expect(redact({ url: new URL("https://idp.example/authorize?state=s3cret#x") })).toEqual({
      url: "https://idp.example/authorize",
    })
  })

  it("keeps of an error its name and message", () => {
    expect(redact({ err: new RangeError("x") })).toEqual({ err: { name: "RangeError", message: "x" } })
  })

  it.each([undefined, null, "text", 1, true])("leaves %p alone", (value) => {
    expect(redact(value)).toBe(value)
  })

  it("comes to an end with objects that contain themselves", () => {
    const circle: Record<string, unknown> = { name: "x" }
    circle["self"] = circle

    expect(JSON.stringify(redact(circle))).toContain("…")
  })

  it("leaves what it is given as it was", () => {
    const given = Object.freeze({ token: "t", list: Object.freeze(["a"]) })

    expect(redact(given)).toEqual({ token: "[redacted]", list: ["a"] })
    expect(given).toEqual({ token: "t", list: ["a"] })
  })
})
