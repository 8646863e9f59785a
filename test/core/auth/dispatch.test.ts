import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { configOf, openBrowser, testPorts, type Browser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { oidcAt } from "../../support/core-flow.js"
import { byName, enter } from "../../support/core-people.js"
import { FaultyProvider } from "../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

function openAll(): Browser {
  const idp = new FaultyProvider()
  return openBrowser(configOf({ providers: [oidcAt(idp), byName()] }), testPorts({ fetch: idp.fetch }))
}

interface Outcome {
  readonly status: number
  readonly type?: string
  /** A pattern, as authorization URLs hold random values. */
  readonly to?: RegExp
  readonly allow?: string
}

function outcomeOf(response: Response): Outcome {
  const { status, headers } = response
  return {
    status,
    ...(headers.has("content-type") && { type: headers.get("content-type") ?? "" }),
    ...(headers.has("location") && { to: headers.get("location") ?? "" }),
    ...(headers.has("allow") && { allow: headers.get("allow") ?? "" }),
  } as Outcome
}

const page = { status: 200, type: "text/html; charset=utf-8" }
const json = { status: 200, type: "application/json" }
const configuration = { status: 302, to: /^https:\/\/app\.example\/auth\/error\?error=Configuration$/ }
const readOnly = { status: 405, allow: "GET, HEAD" }

const matrix: readonly (readonly [method: string, path: string, expected: Outcome])[] = [
  ["GET", "providers", json],
  ["POST", "providers", readOnly],
  ["GET", "csrf", json],
  ["POST", "csrf", readOnly],
  ["GET", "session", json],
  ["POST", "session", json],
  ["GET", "signin", page],
  ["POST", "signin", { status: 302, to: /^https:\/\/app\.example\/auth\/signin$/ }],
  ["GET", "signin/idp", { status: 302, to: /^https:\/\/app\.example\/auth\/signin\?callbackUrl=[^&]+$/ }],
  ["POST", "signin/idp", { status: 302, to: /^https:\/\/idp\.example\/authorize\?/ }],
  ["GET", "signin/credentials", { status: 302, to: /^https:\/\/app\.example\/auth\/signin\?callbackUrl=[^&]+$/ }],
  ["POST", "signin/credentials", { status: 302, to: /^https:\/\/app\.example\/auth\/signin$/ }],
  ["GET", "signout", page],
  ["POST", "signout", { status: 302, to: /^https:\/\/app\.example$/ }],
  ["GET", "callback", configuration],
  ["POST", "callback", configuration],
  ["GET", "callback/idp", configuration],
  ["POST", "callback/idp", configuration],
  ["GET", "callback/credentials", { status: 405, allow: "POST" }],
  [
    "POST",
    "callback/credentials",
    { status: 302, to: /^https:\/\/app\.example\/auth\/signin\?error=CredentialsSignin&code=credentials$/ },
  ],
  ["GET", "verify-request", page],
  ["POST", "verify-request", readOnly],
  ["GET", "error", page],
  ["POST", "error", readOnly],
  ["GET", "webauthn-options", { status: 404 }],
  ["POST", "webauthn-options", readOnly],
]

describe("the dispatch matrix", () => {
  it.each(matrix)("answers %s %s", async (method, path, { to, ...expected }) => {
    const browser = openAll()

    const response = await (method === "GET" ? browser.get(path) : browser.submit(path))

    expect(outcomeOf(response)).toEqual({ ...expected, ...(to && { to: expect.stringMatching(to) }) })
  })

  it.each([
    ["GET", "signin/nope"],
    ["POST", "signin/nope"],
    ["GET", "callback/nope"],
    ["POST", "callback/nope"],
  ])("calls an unknown provider a Configuration error: %s %s", async (method, path) => {
    const browser = openAll()

    const response = await (method === "GET" ? browser.get(path) : browser.submit(path))

    expect({ status: response.status, to: response.headers.get("location") }).toEqual({
      status: 302,
      to: "https://app.example/auth/error?error=Configuration",
    })
  })
})

const actions = [
  "providers",
  "csrf",
  "session",
  "signin",
  "signout",
  "callback/idp",
  "callback/credentials",
  "verify-request",
  "error",
]

describe("HEAD", () => {
  it.each(["providers", "csrf", "session", "signin", "signin/idp", "signout", "verify-request", "error"])(
    "is answered as GET: %s",
    async (path) => {
      const browser = openAll()
      await browser.csrfToken()

      const [head, get] = [await browser.send("HEAD", path), await browser.get(path)]

      expect(outcomeOf(head)).toEqual(outcomeOf(get))
    },
  )

  it("sends no body", async () => {
    const response = await openAll().send("HEAD", "providers")

    expect((await response.text()).length).toBe(0)
  })

  it.each(["callback/idp", "callback/credentials"])(
    "is refused where GET changes something, and not offered: %s",
    async (path) => {
      const { status, headers } = await openAll().send("HEAD", path)

      expect(status).toBe(405)
      expect(headers.get("allow")?.split(", ")).not.toContain("HEAD")
    },
  )
})

describe("any other method", () => {
  it.each(actions.flatMap((path) => ["PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => [method, path] as const)))(
    "gets 405, and learns what is allowed: %s %s",
    async (method, path) => {
      const { status, headers } = await openAll().send(method, path)

      expect(status).toBe(405)
      expect(headers.get("allow")).toMatch(/^(?:GET, HEAD(?:, POST)?|GET, POST|POST)$/)
    },
  )

  it.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])("does not sign anybody out: %s signout", async (method) => {
    const browser = openAll()
    await enter(browser)

    await browser.send(method, "signout", { headers: { "x-http-method-override": "POST" } })

    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })

  it("is not believed in a header", async () => {
    const browser = openAll()

    const response = await browser.get("signin/idp", { "x-http-method-override": "POST" })

    expect(response.headers.get("location")).toMatch(/^https:\/\/app\.example\/auth\/signin/)
  })
})
