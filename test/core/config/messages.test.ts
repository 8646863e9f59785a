import { describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../../src/core/config/config.js"
import { handle } from "../../../src/core/dispatch.js"
import { compile } from "../../../src/core/engine/compile.js"
import { UntrustedHost } from "../../../src/core/errors.js"
import { fromWebRequest } from "../../../src/core/http/request.js"
import type { Result } from "../../../src/core/http/result.js"
import { testPorts } from "../../support/core-ports.js"
import { recordingLogger } from "../../support/core-recording-logger.js"

const url = "https://evil.example/auth/session?x=1"

async function answer(trustHost: AuthConfig["trustHost"]): Promise<Result> {
  const compiled = compile({ providers: [], secret: "secret", trustHost, logger: recordingLogger() }, testPorts())
  if (compiled.kind === "misconfigured") throw compiled.misconfiguration.error
  return handle(compiled.engine, await fromWebRequest(new Request(url), "/auth"))
}

/** The words are compared by applications' own tests; what is checked when a configuration is compiled is tested there. */
describe("a host that is not trusted", () => {
  it.each<[AuthConfig["trustHost"]]>([[false], [undefined], [["app.example"]], [[]]])(
    "is refused in the words of the contract when trustHost is %j",
    async (trustHost) => {
      const result = await answer(trustHost)

      expect(result.kind).toBe("failure")
      if (result.kind !== "failure") return
      expect(result.error).toBeInstanceOf(UntrustedHost)
      expect(result.error.message).toBe(
        `Host must be trusted. URL was: ${url}. Read more at https://errors.authjs.dev#untrustedhost`,
      )
    },
  )

  it.each<[AuthConfig["trustHost"]]>([[true], [["evil.example"]], [["*.example"]]])(
    "is none when trustHost is %j",
    async (trustHost) => {
      expect((await answer(trustHost)).kind).toBe("json")
    },
  )
})
