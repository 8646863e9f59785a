/** what is secret stays out of logs, answers and addresses. */
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { inspect } from "node:util"
import type { AuthConfig } from "../../../src/core/index.js"
import { configOf, openBrowser, secret, testPorts, type Browser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { oauthAt, oidcAt } from "../../support/core-flow.js"
import { captureLog } from "../../support/core-log.js"
import { byName } from "../../support/core-people.js"
import { accessToken, FaultyProvider, refreshToken, type Faults } from "../../../src/testing/faulty-provider.js"
import type { OAuthConfig } from "../../../src/providers/kinds.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const json = (body: string) => () => new Response(body, { headers: { "content-type": "application/json" } })
const password = "hunter2-of-the-tests"

interface Scenario {
  readonly name: string
  readonly faults?: (idp: FaultyProvider) => Faults
  readonly provider?: Partial<OAuthConfig>
  /** What the browser does instead of a sign-in. */
  readonly act?: (browser: Browser, idp: FaultyProvider) => Promise<unknown>
}

const scenarios: readonly Scenario[] = [
  { name: "a sign-in" },
  { name: "an unsigned ID token", faults: () => ({ sign: "none" }) },
  { name: "a broken signature", faults: () => ({ sign: "broken" }) },
  { name: "an encrypted ID token", faults: () => ({ sign: "encrypted" }) },
  {
    name: "a wrong nonce",
    faults: () => ({ claims: (claims) => ({ ...claims, nonce: `${String(claims["nonce"])}1` }) }),
  },
  { name: "an expired ID token", faults: () => ({ claims: (claims) => ({ ...claims, exp: 1 }) }) },
  { name: "an ID token that is none", faults: () => ({ token: (body) => ({ ...body, id_token: accessToken }) }) },
  { name: "tokens of an unknown type", faults: () => ({ token: (body) => ({ ...body, token_type: "mac" }) }) },
  { name: "an odd lifetime", faults: () => ({ token: (body) => ({ ...body, expires_in: "abc" }) }) },
  { name: "tokens with a refusal", faults: () => ({ token: (body) => Response.json(body, { status: 400 }) }) },
  {
    name: "a refusal that repeats the code and the secret",
    faults: (idp) => ({
      token: () =>
        Response.json({ error: "invalid_grant", error_description: [...idp.secrets].join(" ") }, { status: 400 }),
    }),
  },
  {
    name: "a challenge that repeats the code and the secret",
    faults: (idp) => ({
      token: () =>
        new Response(null, {
          status: 401,
          headers: { "www-authenticate": `Bearer error="x", error_description="${[...idp.secrets].join(" ")}"` },
        }),
    }),
  },
  { name: "a token that is no JSON", faults: () => ({ token: json(accessToken) }) },
  { name: "a short token that is no JSON", faults: () => ({ token: json(refreshToken) }) },
  { name: "JSON that ends in a token", faults: () => ({ token: json(`{"access_token":${accessToken}}`) }) },
  { name: "a token as a form", faults: () => ({ token: json(`access_token=${accessToken}`) }) },
  { name: "a profile that is no JSON", faults: () => ({ userinfo: json(accessToken) }) },
  {
    name: "a userinfo endpoint that repeats the token",
    faults: () => ({ userinfo: () => new Response(accessToken, { status: 401 }) }),
  },
  { name: "a network that fails", faults: () => ({ token: () => Promise.reject(new Error("ECONNRESET")) }) },
  {
    name: "a profile() that throws",
    provider: {
      profile: () => {
        throw new Error("no such field")
      },
    },
  },
  {
    name: "a code that is refused",
    act: async (browser, idp) => {
      const callback = idp.approve(await browser.start("idp"))
      callback.searchParams.set("code", "another-code")
      idp.secrets.add("another-code")
      await browser.get(callback.href)
    },
  },
  {
    name: "a foreign state",
    act: async (browser, idp) => {
      const callback = idp.approve(await browser.start("idp"))
      callback.searchParams.set("state", `${callback.searchParams.get("state")}x`)
      await browser.get(callback.href)
    },
  },
  {
    name: "two codes",
    act: async (browser, idp) => {
      const callback = idp.approve(await browser.start("idp"))
      callback.searchParams.append("code", "another-code")
      idp.secrets.add("another-code")
      await browser.get(callback.href)
    },
  },
  {
    name: "a refusal",
    act: async (browser, idp) => browser.get(idp.refuse(await browser.start("idp")).href),
  },
  {
    name: "a flow that is lost",
    act: async (browser, idp) => {
      const callback = idp.approve(await browser.start("idp"))
      browser.jar.forget(/\.state\./)
      await browser.get(callback.href)
    },
  },
  {
    name: "a wrong password",
    act: (browser) => browser.submit("callback/credentials", { name: "eve", password }),
  },
  {
    name: "a password that breaks authorize",
    act: (browser) => browser.submit("callback/credentials", { name: "crash", password }),
  },
  {
    name: "a password in JSON that is none",
    act: (browser) =>
      browser.send("POST", "callback/credentials", { headers: { "content-type": "application/json" }, body: password }),
  },
  {
    name: "a password in a form that says it is JSON",
    act: (browser) =>
      browser.send("POST", "callback/credentials", {
        headers: { "content-type": "application/json" },
        body: `{"password":${password}`,
      }),
  },
  { name: "a form without a token", act: (browser) => browser.post("callback/credentials", { password }) },
  {
    name: "a session that cannot be opened",
    act: async (browser) => {
      browser.jar.set("__Secure-authjs.session-token", "eyJhbGciOiJkaXIifQ..of-somebody-else.x.y")
      await browser.get("session")
    },
  },
]

const kinds: readonly (readonly [string, (idp: FaultyProvider, given: object) => OAuthConfig])[] = [
  ["oidc", oidcAt],
  ["oidc with idToken: false", (idp, given) => oidcAt(idp, { idToken: false, ...given })],
  ["oauth", oauthAt],
]

async function play(
  { faults, provider = {}, act }: Scenario,
  kind: (idp: FaultyProvider, given: object) => OAuthConfig,
  given: Partial<AuthConfig>,
) {
  const idp = new FaultyProvider()
  const passwords = byName(({ name }) => {
    if (name === "crash") throw new Error("db down")
    return null
  })
  const config = configOf({ providers: [kind(idp, provider), passwords], debug: true, ...given })
  const ports = testPorts({ fetch: idp.fetch })
  idp.faults = faults?.(idp) ?? {}
  const responses: Response[] = []
  const cookies = new Set<string>()
  const inner = openBrowser(config, ports)
  const browser = openRecorded(inner, (response) => {
    responses.push(response.clone())
    for (const name of browser.jar.names()) cookies.add(browser.jar.get(name) ?? "")
  })
  if (act) await act(browser, idp)
  else await browser.get(idp.approve(await browser.start("idp")).href)
  await browser.get("error?error=Configuration")
  await browser.get("session")
  return { idp, responses, cookies }
}

function openRecorded(inner: Browser, record: (response: Response) => void): Browser {
  const Recorded = inner.constructor as typeof Browser
  return new Recorded(async (request) => {
    const response = await inner.answer(request)
    record(response)
    return response
  })
}

function expectNone(told: string, secrets: Iterable<string>): void {
  for (const value of secrets) if (value.length > 8) expect(told).not.toContain(value)
}

describe.each(kinds)("A-059, A-117: for %s", (_, kind) => {
  it.each(scenarios)("neither a logger nor an answer of ours tells a secret: $name", async (scenario) => {
    const log = captureLog()

    const { idp, cookies, responses } = await play(scenario, kind, { logger: log.logger })

    expectNone(log.text(), [...idp.secrets, ...cookies, secret, password])
    for (const response of responses) {
      const location = response.headers.get("location") ?? ""
      const visible = [await response.text(), location.startsWith(idp.issuer) ? "" : location].join("\n")
      expectNone(visible, [...idp.secrets, secret, password])
    }
  })
})

describe("A-059: the console, with debug on", () => {
  it.each(scenarios)("tells no secret: $name", async (scenario) => {
    const spies = (["error", "warn", "log", "info", "debug"] as const).map((level) =>
      jest.spyOn(console, level).mockImplementation(() => undefined),
    )

    const { idp, cookies } = await play(scenario, oidcAt, { logger: undefined })
    const calls = spies.map((spy) => spy.mock.calls)
    spies.forEach((spy) => spy.mockRestore())

    expect(calls.flat().length).toBeGreaterThan(0)
    const told = inspect(calls, { depth: 20, maxStringLength: null, maxArrayLength: null })
    expectNone(told, [...idp.secrets, ...cookies, secret, password])
  })
})
