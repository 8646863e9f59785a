import { describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../../src/core/config/config.js"
import { compile } from "../../../src/core/engine/compile.js"
import type { Engine } from "../../../src/core/engine/engine.js"
import { openScope, redirectTarget, type Scope } from "../../../src/core/engine/scope.js"
import { InvalidCallbackUrl } from "../../../src/core/errors.js"
import { webHeaders, type AuthRequest } from "../../../src/core/http/request.js"
import { skipCSRFCheck } from "../../../src/core/symbols.js"
import { testPorts } from "../../support/core-ports.js"
import { recordingLogger, type RecordingLogger } from "../../support/core-recording-logger.js"

const origin = "https://app.example"
const cookieName = "__Secure-authjs.callback-url"

interface Given {
  readonly body?: AuthRequest["body"]
  readonly query?: string
  readonly cookies?: AuthRequest["cookies"]
  readonly config?: Partial<AuthConfig>
  readonly url?: string
}

interface Opened {
  readonly scope: Scope
  readonly logger: RecordingLogger
  readonly engine: Engine
}

async function open({
  body,
  query = "",
  cookies = {},
  config = {},
  url = `${origin}/auth/signin`,
}: Given): Promise<Opened> {
  const logger = recordingLogger()
  const compiled = compile({ providers: [], secret: "secret", logger, ...config }, testPorts())
  if (compiled.kind === "misconfigured") throw compiled.misconfiguration.error
  const request: AuthRequest = {
    method: body ? "POST" : "GET",
    url: new URL(`${url}${query}`),
    basePath: "/auth",
    headers: webHeaders(new Headers()),
    cookies,
    body,
  }
  return { scope: await openScope(compiled.engine, request), logger, engine: compiled.engine }
}

const callbackUrlOf = async (given: Given) => (await open(given)).scope.callbackUrl
const callbackCookie = ({ cookies }: Scope) => cookies.find(({ name }) => name === cookieName)

describe("a scope", () => {
  it("knows the addresses and cookies of its request", async () => {
    const { scope } = await open({})

    expect(scope).toMatchObject({ origin, baseUrl: `${origin}/auth` })
    expect(scope.session.setting.name).toBe("__Secure-authjs.session-token")
    expect((await open({ url: "http://localhost:3000/auth/signin" })).scope.session.setting.name).toBe(
      "authjs.session-token",
    )
  })

  it("sets both cookies for a browser that has none", async () => {
    const { scope } = await open({})

    expect(scope.cookies.map(({ name, value }) => [name, value])).toEqual([
      ["__Host-authjs.csrf-token", expect.stringMatching(/^[0-9a-f]{64}\|[0-9a-f]{64}$/)],
      [cookieName, origin],
    ])
  })

  it("sets none for a browser that has both", async () => {
    const { scope } = await open({})
    const cookies = Object.fromEntries(scope.cookies.map(({ name, value }) => [name, value]))

    expect((await open({ cookies })).scope.cookies).toEqual([])
  })

  it("counts every POST as verified and sets no token where the framework protects itself", async () => {
    const { scope } = await open({ body: {}, config: { skipCSRFCheck } })

    expect(scope.csrf.verified).toBe(true)
    expect(scope.cookies.map(({ name }) => name)).toEqual([cookieName])
  })

  it("takes the token from the body alone, never from the query", async () => {
    const first = await open({})
    const cookies = Object.fromEntries(first.scope.cookies.map(({ name, value }) => [name, value]))
    const { token } = first.scope.csrf
    const query = `?csrfToken=${token}`

    expect((await open({ cookies, body: { csrfToken: token } })).scope.csrf.verified).toBe(true)
    expect((await open({ cookies, body: {}, query })).scope.csrf.verified).toBe(false)
    expect((await open({ cookies, body: { csrfToken: "x" }, query })).scope.csrf.verified).toBe(false)
  })
})

describe("the callback URL", () => {
  it.each<readonly [string, Given, string]>([
    ["the origin without any", {}, origin],
    [
      "that of the body",
      { body: { callbackUrl: "/b" }, query: "?callbackUrl=/q", cookies: { [cookieName]: "/c" } },
      `${origin}/b`,
    ],
    ["that of the query", { body: {}, query: "?callbackUrl=/q", cookies: { [cookieName]: "/c" } }, `${origin}/q`],
    ["that of the cookie", { cookies: { [cookieName]: `${origin}/c` } }, `${origin}/c`],
    ["the first of two in the query", { query: "?callbackUrl=/a&callbackUrl=//evil.example" }, `${origin}/a`],
    [
      "that of the cookie when the body says null",
      { body: { callbackUrl: null }, cookies: { [cookieName]: "/c" } },
      `${origin}/c`,
    ],
    ["the origin for a foreign one", { query: "?callbackUrl=https://evil.example" }, origin],
    ["the origin for a foreign one in the cookie", { cookies: { [cookieName]: "https://evil.example" } }, origin],
    [
      "that of the query when the body says nothing",
      { body: { callbackUrl: "" }, query: "?callbackUrl=/q" },
      `${origin}/q`,
    ],
    ["the origin when the query says nothing", { query: "?callbackUrl=" }, origin],
    ["not that of a cookie of the plain name", { cookies: { "authjs.callback-url": "/c" } }, origin],
  ])("is %s", async (_what, given, expected) => {
    expect(await callbackUrlOf(given)).toBe(expected)
  })

  it("is remembered in a cookie when it changes", async () => {
    const { scope } = await open({ query: "?callbackUrl=/a", cookies: { [cookieName]: `${origin}/b` } })

    expect(callbackCookie(scope)).toMatchObject({ value: `${origin}/a`, options: { httpOnly: true, path: "/" } })
    expect(callbackCookie((await open({ cookies: { [cookieName]: `${origin}/b` } })).scope)).toBeUndefined()
  })

  it.each<readonly [string, unknown]>([
    ["relative", "relative"],
    ["a scheme alone", "https://"],
    ["a script", "javascript:alert(1)"],
    ["a blob of our own origin", `blob:${origin}/id`],
    ["an app's own scheme", "app:/x"],
    ["a path with a line break", "/ok\r\nSet-Cookie:a=b"],
    ["too long", `/${"x".repeat(3000)}`],
    ["an object", { a: 1 }],
    ["a list", ["/a"]],
    ["a list of two", ["/a", "//evil.example"]],
    ["a number", 1],
  ])("that is %s is logged and counts as none, wherever it stands", async (_what, callbackUrl) => {
    const given: Given[] = [{ body: { callbackUrl } }]
    if (typeof callbackUrl === "string") {
      given.push(
        { query: `?${new URLSearchParams({ callbackUrl }).toString()}` },
        { cookies: { [cookieName]: callbackUrl } },
      )
    }
    for (const each of given) {
      const { scope, logger } = await open(each)

      expect(scope.callbackUrl).toBe(origin)
      expect(callbackCookie(scope)?.value).toBe(origin)
      expect(logger.errors).toEqual([expect.any(InvalidCallbackUrl)])
    }
  })

  it("that is refused is logged in the words of the contract", async () => {
    const { logger } = await open({ query: "?callbackUrl=app:/x" })

    expect(logger.errors[0]?.message).toMatch(/^Invalid callback URL\. Received: app:\/x\b/)
  })

  it("is not asked of the redirect callback when there is none to ask about", async () => {
    const calls: unknown[] = []
    const redirect = (given: unknown) => {
      calls.push(given)
      return "/x"
    }

    expect(await callbackUrlOf({ config: { callbacks: { redirect } } })).toBe(origin)
    expect(calls).toEqual([])
  })

  it("is what the redirect callback makes of it", async () => {
    const calls: unknown[] = []
    const redirect = (given: { readonly url: string }) => {
      calls.push(given)
      return given.url.startsWith("https://ok.example/") ? given.url : "/home"
    }
    const config = { callbacks: { redirect } }

    expect(await callbackUrlOf({ config, query: "?callbackUrl=https://ok.example/x" })).toBe("https://ok.example/x")
    expect(await callbackUrlOf({ config, query: "?callbackUrl=/a" })).toBe(`${origin}/home`)
    expect(calls).toEqual([
      { url: "https://ok.example/x", baseUrl: origin },
      { url: "/a", baseUrl: origin },
    ])
  })

  it("fails the request when the redirect callback throws", async () => {
    const redirect = () => Promise.reject(new Error("no such tenant"))

    await expect(open({ config: { callbacks: { redirect } }, query: "?callbackUrl=/a" })).rejects.toThrow(
      "no such tenant",
    )
  })
})

describe("redirectTarget", () => {
  it("is always absolute", async () => {
    const { engine } = await open({ config: { callbacks: { redirect: ({ url }) => url } } })

    expect(await redirectTarget(engine, "/a?b#c", origin)).toBe(`${origin}/a?b#c`)
    expect(await redirectTarget(engine, "https://elsewhere.example", origin)).toBe("https://elsewhere.example")
  })
})
