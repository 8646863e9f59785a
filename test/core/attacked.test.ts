/** Behaviour that attacks on the core have found wanting, and that was mended. */
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { createLogger } from "../../src/core/config/logger.js"
import { trimSlashes } from "../../src/core/http/request.js"
import type { AuthConfig } from "../../src/core/index.js"
import type { OAuthConfig } from "../../src/providers/kinds.js"
import { configOf, errorOf, locationOf, openBrowser, setCookiesOf, testPorts } from "../support/core-browser.js"
import { freezeClock, releaseClock } from "../support/core-clock.js"
import { expectNoSession, expectRefused, oauthAt, oidcAt, openSite, signIn } from "../support/core-flow.js"
import { captureLog } from "../support/core-log.js"
import { passwords } from "../support/express-setup.js"
import { FaultyProvider } from "../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(() => {
  jest.restoreAllMocks()
  releaseClock()
})

const sessionName = "__Secure-authjs.session-token"

/** A site whose one provider takes a name. */
function openCredentialsSite(given: Partial<AuthConfig> = {}) {
  const log = captureLog()
  const config = configOf({ providers: [passwords()], logger: log.logger, ...given })
  return { log, browser: openBrowser(config, testPorts()) }
}

describe("a redirect proxy that lists the hosts it trusts", () => {
  async function returnToProxy(trustHost: readonly string[]) {
    const idp = new FaultyProvider()
    const at = (origin: string, trusted: AuthConfig["trustHost"]) => {
      const redirectProxyUrl = "https://stable.example/auth"
      const config = configOf({ providers: [oidcAt(idp)], redirectProxyUrl, trustHost: trusted })
      return openBrowser(config, testPorts({ fetch: idp.fetch }), origin)
    }
    const stable = at("https://stable.example", [...trustHost])
    const callback = idp.approve(await at("https://preview-1.example", true).start("idp"))
    return { idp, stable, callback, response: await stable.get(callback.href) }
  }

  it.each([
    [["stable.example"]],
    [["stable.example", "preview-2.example"]],
    [["stable.example", "*.preview-1.example"]],
  ])("forwards no answer to a host that is not listed: %j", async (trustHost) => {
    const { idp, stable, response } = await returnToProxy(trustHost)

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    await expectRefused(stable, response)
    expect(idp.count("token")).toBe(0)
  })

  it.each([[["stable.example", "preview-1.example"]], [["stable.example", "*.example"]]])(
    "forwards an answer to a listed host: %j",
    async (trustHost) => {
      const { callback, response } = await returnToProxy(trustHost)

      expect(locationOf(response)).toBe(`https://preview-1.example/auth/callback/idp?${callback.searchParams}`)
    },
  )
})

describe("slashes", () => {
  it("are trimmed from both ends, however many there are", () => {
    const many = "/".repeat(20_000)

    expect(trimSlashes(`${many}x`)).toBe("x")
    expect(trimSlashes(`x${many}`)).toBe("x")
    expect(trimSlashes(`${many}x${many}y${many}`)).toBe(`x${many}y`)
    expect(trimSlashes(many)).toBe("")
  })
})

describe("a sign-in that is restarted because its cookies are gone", () => {
  const long = `/${"a".repeat(2000)}`

  it("takes no target from the query of the callback", async () => {
    const { idp, browser, another } = openSite()
    const callback = idp.approve(await browser.start("idp"))
    callback.searchParams.set("callbackUrl", long)
    const visitor = another()

    const restarted = await visitor.get(callback.href)
    const response = await visitor.get(idp.approve(locationOf(restarted)).href)

    expect(new URL(locationOf(restarted)).origin).toBe(idp.issuer)
    expect(setCookiesOf(restarted).filter(({ value }) => value.includes("aaa"))).toEqual([])
    expect(visitor.jar.get("__Secure-authjs.callback-url") ?? "").not.toContain("aaa")
    expect(locationOf(response)).not.toContain("aaa")
    expect(await visitor.session()).not.toBeNull()
  })
})

describe("sign-ins that nobody finishes", () => {
  it("leave room in the 16 KB of headers that servers take, whatever the targets", async () => {
    const { browser, idp } = openSite()
    let last = new URL(idp.issuer)
    for (const letter of "abcdef") last = await browser.start("idp", { callbackUrl: `/${letter.repeat(2000)}` })

    const flowCookies = browser.jar.names().filter((name) => /\.(?:state|pkce\.code_verifier|nonce)\./.test(name))
    const size = flowCookies.reduce((sum, name) => sum + name.length + (browser.jar.get(name) ?? "").length, 0)
    const response = await browser.get(idp.approve(last).href)

    expect(flowCookies.length).toBeGreaterThan(0)
    expect(size).toBeLessThan(12 * 1024)
    expect(locationOf(response)).toBe(`https://app.example/${"f".repeat(2000)}`)
    expect(await browser.session()).not.toBeNull()
  })
})

describe("a redirect callback that answers beyond ASCII", () => {
  it.each(["https://app.example/日本", "/日本", "https://日本.example/é?q=ü#ß"])(
    "still signs in and out, to an address in ASCII: %s",
    async (target) => {
      const { browser, log } = openCredentialsSite({ callbacks: { redirect: () => target } })

      const signedIn = await browser.submit("callback/credentials", { username: "ada" })
      const session = await browser.session()
      const signedOut = await browser.submit("signout")

      for (const response of [signedIn, signedOut]) {
        expect(response.status).toBe(302)
        expect(locationOf(response)).toMatch(/^https:\/\/[\x21-\x7e]+$/)
        expect(new URL(locationOf(response)).href).toBe(new URL(target, "https://app.example").href)
      }
      expect(session).not.toBeNull()
      expect(await browser.session()).toBeNull()
      expect(log.errors).toEqual([])
    },
  )
})

describe("an access token with line breaks", () => {
  const kinds: readonly (readonly [name: string, provider: (idp: FaultyProvider) => OAuthConfig])[] = [
    ["oidc", oidcAt],
    ["oidc with idToken: false", (idp) => oidcAt(idp, { idToken: false })],
    ["oauth", oauthAt],
  ]
  const tokens = ["smuggled\r\nx-evil: 1", "smuggled\nx", "smuggled\rx", "smuggled\u0000x", "smuggled-日本"]

  it.each(
    kinds.flatMap(([name, provider]) => tokens.map((token) => [name, JSON.stringify(token), token, provider] as const)),
  )("is refused and told nowhere: %s, %s", async (_name, _text, token, provider) => {
    const site = openSite(provider)
    site.idp.faults = { token: (body) => ({ ...body, access_token: token }) }

    const response = await signIn(site)
    const page = await site.browser.follow(response)

    await expectRefused(site.browser, response)
    expect(site.idp.count("userinfo")).toBe(0)
    expect(site.log.errors.length).toBeGreaterThan(0)
    const told = [site.log.text(), ...response.headers.values(), await response.text(), await page.text()]
    expect(told.filter((text) => text.includes("smuggled"))).toEqual([])
  })
})

describe("the console", () => {
  const forged = "    at forged (/app/evil.js:1:1)"
  const message = `wrong \u001b[2K\u009b\r\nError: forged\n${forged}\u0007\u007f`

  it.each([
    ["of the error", () => new Error(message)],
    ["of its cause", () => new Error("outer", { cause: { err: new Error(message) } })],
    [
      "of the cause of its cause",
      () => new Error("outer", { cause: { err: new Error("inner", { cause: new Error(message) }) } }),
    ],
  ])("gets the message %s on one line, without control characters", (_, make) => {
    const write = jest.spyOn(console, "error").mockImplementation(() => undefined)

    createLogger().error(make())

    const text = write.mock.calls.map((parts) => parts.join(" ")).join("\n")
    // The colours of the labels are ours.
    const uncoloured = text.replaceAll(/\u001b\[(?:31|0)m/g, "")
    expect(uncoloured).toContain("wrong")
    expect(uncoloured).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    expect(uncoloured.split("\n").filter((line) => /^\s*(?:at forged|Error: forged)/.test(line))).toEqual([])
    expect(uncoloured).toMatch(/\n\s+at .*attacked\.test/)
  })
})

describe("parameters in the query of a sign-in", () => {
  const configured = { acr_values: "high", hd: "app.example", audience: "api", prompt: "consent", login_hint: "nobody" }

  it.each([
    ["oidc", (idp: FaultyProvider) => oidcAt(idp, { authorization: { params: configured } })],
    [
      "oauth",
      (idp: FaultyProvider) => oauthAt(idp, { authorization: { url: `${idp.issuer}/authorize`, params: configured } }),
    ],
  ])("override nothing that was configured, but what is about this visit: %s", async (_, provider) => {
    const { browser } = openSite(provider)

    const { searchParams } = await browser.start(
      "idp",
      {},
      "?acr_values=low&hd=evil.example&audience=evil&prompt=login&login_hint=ada",
    )

    const names = ["acr_values", "hd", "audience", "prompt", "login_hint"]
    expect(names.map((name) => searchParams.getAll(name))).toEqual([
      ["high"],
      ["app.example"],
      ["api"],
      ["login"],
      ["ada"],
    ])
  })

  it.each(["claims", "id_token_hint", "client_assertion", "client_assertion_type", "request", "request_uri"])(
    "do not set %s",
    async (name) => {
      const { browser } = openSite()

      expect((await browser.start("idp", {}, `?${name}=x`)).searchParams.has(name)).toBe(false)
    },
  )
})

describe("a discovery document whose authorization endpoint is no address", () => {
  it.each(["javascript:alert(1)", "/authorize", "authorize", "//idp.example/authorize", 7, "https://", null, {}])(
    "is refused, and asked for again: %j",
    async (endpoint) => {
      const { browser, idp } = openSite()
      idp.faults = { discovery: (document) => ({ ...document, authorization_endpoint: endpoint }) }

      await expectRefused(browser, await browser.submit("signin/idp"))
      const asked = idp.count("discovery")
      idp.faults = {}
      const url = await browser.start("idp")

      expect(url.origin + url.pathname).toBe("https://idp.example/authorize")
      expect(idp.count("discovery")).toBe(asked + 1)
    },
  )
})

describe("the id that authorize returns", () => {
  function openWithId(id: unknown) {
    const ids: unknown[] = []
    const site = openCredentialsSite({
      providers: [passwords(() => ({ id, name: "Ada" }) as never)],
      events: { signIn: ({ user }) => void ids.push(user.id) },
    })
    return { ...site, ids }
  }

  it.each([[""], [Infinity], [NaN], [{}], [[]], [true]] as const)(
    "is a fault of the application when it is no id: %p",
    async (id) => {
      const { browser, ids } = openWithId(id)

      const response = await browser.submit("callback/credentials", { username: "ada" })

      expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
      await expectNoSession(browser, response)
      expect(ids).toEqual([])
    },
  )

  it.each([null, undefined])("is made up when it is %p", async (id) => {
    const { browser, ids } = openWithId(id)

    await browser.submit("callback/credentials", { username: "ada" })

    expect(ids).toEqual([expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)])
    expect(await browser.session()).not.toBeNull()
  })

  it("is a text when it is a number", async () => {
    const { browser, ids } = openWithId(0)

    await browser.submit("callback/credentials", { username: "ada" })

    expect(ids).toEqual(["0"])
  })
})

describe("an event handler that throws an object without a prototype", () => {
  const bare: unknown = Object.create(null)

  it("changes nothing about the sign-in and the sign-out", async () => {
    const fail = () => {
      throw bare
    }
    const { browser, log } = openCredentialsSite({ events: { signIn: fail, signOut: fail } })

    const response = await browser.submit("callback/credentials", { username: "ada" })
    const session = await browser.session()
    const signedOut = await browser.submit("signout")

    expect([response.status, locationOf(response)]).toEqual([302, "https://app.example"])
    expect(session).not.toBeNull()
    expect(signedOut.status).toBe(302)
    expect(await browser.session()).toBeNull()
    expect(log.types()).toEqual(["EventError", "EventError"])
  })
})

describe("a callback that forgets to return", () => {
  const forgetful: readonly (readonly [name: "session" | "jwt", callbacks: AuthConfig["callbacks"]])[] = [
    ["session", { session: () => undefined as never }],
    ["jwt", { jwt: ({ token, account }) => (account ? token : (undefined as never)) }],
  ]

  it.each(forgetful)("is named in the error, and signs nobody out: %s", async (name, callbacks) => {
    const { browser, log } = openCredentialsSite({ callbacks })
    await browser.submit("callback/credentials", { username: "ada" })
    const cookie = browser.jar.get(sessionName)

    const response = await browser.get("session")

    expect(response.status).toBeGreaterThanOrEqual(500)
    expect(cookie).toBeDefined()
    expect(browser.jar.get(sessionName)).toBe(cookie)
    expect(setCookiesOf(response).filter((each) => each.name.startsWith(sessionName))).toEqual([])
    expect(log.text()).toContain(`callbacks.${name} must return`)
  })

  it("makes no session at the sign-in: jwt", async () => {
    const { browser, log } = openCredentialsSite({ callbacks: { jwt: () => undefined as never } })

    const response = await browser.submit("callback/credentials", { username: "ada" })

    await expectNoSession(browser, response)
    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(log.text()).toContain("callbacks.jwt must return")
  })
})
