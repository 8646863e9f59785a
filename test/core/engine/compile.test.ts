import { describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../../src/core/config/config.js"
import { setEnvDefaults } from "../../../src/core/config/env.js"
import type { decode } from "../../../src/core/crypto/jwt.js"
import { compile } from "../../../src/core/engine/compile.js"
import { cookiesFor, type Engine, type Misconfiguration } from "../../../src/core/engine/engine.js"
import { MissingSecretError } from "../../../src/core/errors.js"
import { raw, skipCSRFCheck } from "../../../src/core/symbols.js"
import type { JWT, Session } from "../../../src/core/types.js"
import type { CredentialsConfig, OAuthConfig } from "../../../src/providers/kinds.js"
import { testPorts } from "../../support/core-ports.js"
import { deepFreeze } from "../../support/core-deep-freeze.js"
import { recordingLogger } from "../../support/core-recording-logger.js"

const idp: OAuthConfig = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.example" }
const now = 1_700_000_000_000

function config(members: Readonly<Record<string, unknown>> = {}): AuthConfig {
  return { providers: [idp], secret: "secret", logger: recordingLogger(), ...members }
}

function engineOf(given: AuthConfig): Engine {
  const compiled = compile(given, testPorts({ clock: { now } }))
  if (compiled.kind === "misconfigured") throw compiled.misconfiguration.error
  return compiled.engine
}

function misconfigurationOf(given: AuthConfig): Misconfiguration {
  const compiled = compile(given, testPorts())
  if (compiled.kind === "engine") throw new Error("expected problems")
  return compiled.misconfiguration
}

/** Signs somebody in and reads the session again. */
async function roundTrip(engine: Engine, more: { readonly by?: Engine } = {}): Promise<Session | null> {
  const setting = cookiesFor(engine, new URL("https://app.example")).sessionToken
  const account = { provider: "idp", providerAccountId: "1", type: "oidc" } as const
  const written = await engine.sessions.create({ cookies: {}, setting }, { user: { id: "1", name: "Ann" }, account })
  const cookies = Object.fromEntries(written.map(({ name, value }) => [name, value]))
  return (await (more.by ?? engine).sessions.read({ cookies, setting }, { kind: "visit" })).session
}

describe("defaults", () => {
  it("are those of the contract", async () => {
    const engine = engineOf(config())

    expect(engine).toMatchObject({
      basePath: "/auth",
      secrets: ["secret"],
      events: {},
      pages: {},
      theme: { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" },
      trustHost: false,
      csrfIsChecked: true,
      raw: false,
    })
    expect([...engine.providers.keys()]).toEqual(["idp"])
    expect(await engine.callbacks.signIn({ user: {} })).toBe(true)
    expect(await engine.callbacks.redirect({ url: "https://evil.example", baseUrl: "https://app.example" })).toBe(
      "https://app.example",
    )
  })

  it("let a session last 30 days", async () => {
    expect((await roundTrip(engineOf(config())))?.expires).toBe(new Date(now + 2_592_000_000).toISOString())
  })

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ["session.maxAge", { session: { maxAge: undefined } }],
    ["session.strategy", { session: { strategy: undefined } }],
    ["jwt.maxAge", { jwt: { maxAge: undefined } }],
    ["jwt.secret", { jwt: { secret: undefined } }],
    ["jwt.encode", { jwt: { encode: undefined } }],
    ["jwt.decode", { jwt: { decode: undefined } }],
    ["callbacks.jwt", { callbacks: { jwt: undefined, session: undefined } }],
  ])("stay where %s says undefined", async (_path, members) => {
    const session = await roundTrip(engineOf(config(members)))

    expect(session).toEqual({ user: { name: "Ann" }, expires: new Date(now + 2_592_000_000).toISOString() })
  })

  it("prolong a session once a day where session.updateAge says undefined", async () => {
    const clock = { now }
    const compiled = compile(config({ session: { updateAge: undefined } }), testPorts({ clock }))
    if (compiled.kind === "misconfigured") throw compiled.misconfiguration.error
    const { sessions, cookies } = compiled.engine
    const setting = cookies.https.sessionToken
    const account = { provider: "idp", providerAccountId: "1", type: "oidc" } as const
    const [written] = await sessions.create({ cookies: {}, setting }, { user: { id: "1" }, account })
    const context = { cookies: { [setting.name]: written?.value }, setting }

    clock.now += 23 * 60 * 60 * 1000
    expect((await sessions.read(context, { kind: "visit" })).cookies).toHaveLength(0)
    clock.now += 2 * 60 * 60 * 1000
    expect((await sessions.read(context, { kind: "visit" })).cookies).toHaveLength(1)
  })

  it("of the theme stay where a colour says undefined", () => {
    const { theme } = engineOf(config({ theme: { logo: undefined, brandColor: "red", buttonText: undefined } }))

    expect(theme).toStrictEqual({ colorScheme: "auto", logo: "", brandColor: "red", buttonText: "" })
  })

  it("have no redirect proxy where AUTH_REDIRECT_PROXY_URL is empty", () => {
    const given = config()
    setEnvDefaults({ AUTH_REDIRECT_PROXY_URL: "" }, given)

    expect(engineOf(given).providers.get("idp")).toMatchObject({ redirectProxyUrl: undefined })
  })

  it("have no redirect proxy where redirectProxyUrl is empty", () => {
    const compiled = compile(config({ redirectProxyUrl: "" }), testPorts())
    // Whether that is a problem or nothing: an address that cannot be parsed must not reach a sign-in.
    if (compiled.kind === "misconfigured") return
    expect(compiled.engine.providers.get("idp")).toMatchObject({ redirectProxyUrl: undefined })
  })

  it.each(["", "/"])("put the actions at the root where basePath is %j", (basePath) => {
    expect(engineOf(config({ basePath })).basePath).toBe("")
  })
})

describe("options", () => {
  it("reach the engine", () => {
    const signIn = () => false
    const redirect = () => "https://app.example/x"
    const engine = engineOf(
      config({
        basePath: "api/auth/",
        trustHost: ["app.example"],
        callbacks: { signIn, redirect },
        pages: { signIn: "/login" },
        theme: { brandColor: "red" },
      }),
    )

    expect(engine.basePath).toBe("/api/auth")
    expect(engine.trustHost).toEqual(["app.example"])
    expect(engine.callbacks).toEqual({ signIn, redirect })
    expect(engine.pages).toEqual({ signIn: "/login" })
    expect(engine.theme).toEqual({ colorScheme: "auto", logo: "", brandColor: "red", buttonText: "" })
  })

  it("give session.maxAge to tokens as well, unless jwt.maxAge differs", async () => {
    const expiryOf = async (members: Readonly<Record<string, unknown>>) => {
      const tokens: (JWT | null)[] = []
      const jwt = {
        ...(members["jwt"] as object | undefined),
        decode: async (given: Parameters<typeof decode>[0]) => {
          const claims: unknown = JSON.parse(given.token ?? "null")
          tokens.push(claims as JWT)
          return claims as JWT
        },
        encode: ({ token, maxAge = 0 }: { readonly token?: JWT; readonly maxAge?: number }) =>
          JSON.stringify({ ...token, exp: now / 1000 + maxAge }),
      }
      await roundTrip(engineOf(config({ ...members, jwt })))
      return (tokens[0]?.exp ?? 0) - now / 1000
    }

    expect(await expiryOf({})).toBe(2_592_000)
    expect(await expiryOf({ session: { maxAge: 60 } })).toBe(60)
    expect(await expiryOf({ session: { maxAge: 60 }, jwt: { maxAge: 30 } })).toBe(30)
  })

  it("use jwt.secret for tokens and secret for the rest", async () => {
    const engine = engineOf(config({ jwt: { secret: ["for tokens"] } }))
    const sealed = await engine.keys.seal({ sub: "1" }, "salt", now / 1000, 60)

    expect(engine.secrets).toEqual(["secret"])
    expect((await engineOf(config({ secret: "for tokens" })).keys.unseal(sealed, "salt", now / 1000)).sub).toBe("1")
  })

  it.each([
    [undefined, "__Secure-authjs.state", "authjs.state"],
    [true, "__Secure-authjs.state", "__Secure-authjs.state"],
    [false, "authjs.state", "authjs.state"],
  ])("useSecureCookies %s names cookies for https and http", (useSecureCookies, https, http) => {
    const engine = engineOf(config({ useSecureCookies }))

    expect(cookiesFor(engine, new URL("https://app.example")).state.name).toBe(https)
    expect(cookiesFor(engine, new URL("http://app.example")).state.name).toBe(http)
  })

  it("recognise the switches of frameworks, those of Auth.js included", () => {
    const foreign = config({ raw: Symbol("return-type-raw"), skipCSRFCheck: Symbol("skip-csrf-check") })

    expect(engineOf(config({ raw, skipCSRFCheck }))).toMatchObject({ raw: true, csrfIsChecked: false })
    expect(engineOf(foreign)).toMatchObject({ raw: true, csrfIsChecked: false })
  })

  it.each([true, "skip-csrf-check", Symbol("other"), Symbol("return-type-raw")])(
    "do not take %p for the switch that turns CSRF protection off",
    (value) => {
      expect(engineOf(config({ skipCSRFCheck: value })).csrfIsChecked).toBe(true)
    },
  )

  it("warn when debug messages are on and go to the console", () => {
    const { debug: _debug, ...withoutDebug } = recordingLogger()
    const withDebug = recordingLogger()
    engineOf(config({ debug: true, logger: withoutDebug }))
    engineOf(config({ debug: true, logger: withDebug }))

    expect(withoutDebug.warnings).toEqual(["debug-enabled"])
    expect(withDebug.warnings).toEqual([])
  })
})

describe("a configuration with problems", () => {
  it("becomes a value that is enough to say so", () => {
    const logger = recordingLogger()
    const misconfiguration = misconfigurationOf(
      config({ secret: "", basePath: "/api/auth/", pages: { error: "/oops" }, theme: { brandColor: "red" }, logger }),
    )

    expect(misconfiguration).toMatchObject({
      basePath: "/api/auth",
      pages: { error: "/oops" },
      theme: { colorScheme: "auto", brandColor: "red" },
    })
    expect(misconfiguration.error).toBeInstanceOf(MissingSecretError)
    misconfiguration.logger.error(misconfiguration.error)
    expect(logger.errors).toEqual([misconfiguration.error])
  })

  it("keeps its default base path when what it says is none", () => {
    expect(misconfigurationOf(config({ basePath: 1 })).basePath).toBe("/auth")
  })

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    [
      "a provider's function throws",
      {
        providers: [
          () => {
            throw new Error("no such realm")
          },
        ],
      },
    ],
    [
      "a provider's function throws something else",
      {
        providers: [
          () => {
            // eslint-disable-next-line @typescript-eslint/only-throw-error -- what an application may do
            throw "no such realm"
          },
        ],
      },
    ],
  ])("is one as well when %s", (_what, members) => {
    expect(misconfigurationOf(config(members)).error.message).toContain("no such realm")
  })

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ["logger is null", { logger: null }],
    ["a method of the logger is a text", { logger: { error: "console" } }],
    ["theme is null", { theme: null, secret: "" }],
    ["callbacks is null", { callbacks: null }],
    ["pages is null", { pages: null }],
    ["providers is null", { providers: null }],
  ])("never makes compile throw: %s", (_what, members) => {
    expect(() => compile(config(members), testPorts())).not.toThrow()
  })
})

const signInHandler = () => true
const authorize = () => null
const profile = ({ sub }: { readonly sub?: string | null }) => ({ id: sub ?? "" })

/** One of everything, made anew at each call. */
function everything(): AuthConfig {
  const credentials: CredentialsConfig = {
    id: "password",
    name: "Password",
    type: "credentials",
    credentials: {},
    options: { credentials: { user: { label: "User" } }, authorize },
  }
  const oauth: OAuthConfig = {
    id: "oauth",
    name: "OAuth",
    type: "oauth",
    authorization: { url: "https://o.example/authorize?prompt=login", params: { scope: "a b", claims: { x: [1] } } },
    token: "https://o.example/token",
    userinfo: { url: "https://o.example/me", params: { v: 1 } },
    checks: ["pkce", "state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#fff" },
    profile,
    options: {
      clientId: "id",
      clientSecret: "s",
      checks: ["none"],
      style: { text: "#000" },
      authorization: { params: { scope: "c" } },
    },
  }
  return {
    providers: [idp, oauth, credentials, () => ({ ...idp, id: "made" })],
    secret: ["new", "old"],
    basePath: "/auth/",
    session: { maxAge: 60 },
    jwt: { maxAge: 30, secret: ["jwt"] },
    pages: { signIn: "/login" },
    callbacks: { signIn: signInHandler },
    events: { signIn: () => undefined },
    theme: { brandColor: "red" },
    cookies: { sessionToken: { name: "sid", options: { domain: "app.example" } } },
    trustHost: ["app.example"],
    logger: {},
  }
}

describe("the caller's configuration", () => {
  it("may be frozen, down to the last provider option", async () => {
    const engine = engineOf(deepFreeze(everything()))

    expect([...engine.providers.keys()]).toEqual(["idp", "oauth", "password", "made"])
    expect(await roundTrip(engine)).toMatchObject({ user: { name: "Ann" } })
  })

  it("is never written to, nor are its providers and their options", async () => {
    const { events, providers, ...given } = everything()
    const before = everything()

    await roundTrip(engineOf({ ...given, events, providers }))

    expect({ ...given, providers: providers.slice(0, 3) }).toEqual({
      ...before,
      events: undefined,
      providers: before.providers.slice(0, 3),
    })
  })

  it("with problems may be frozen as well", () => {
    expect(misconfigurationOf(deepFreeze({ ...everything(), secret: "" })).error).toBeInstanceOf(MissingSecretError)
  })

  it("may change after it was compiled, which changes nothing", () => {
    const secret = ["new", "old"]
    const trustHost = ["app.example"]
    const providers = [idp]
    const pages = { signIn: "/login" }
    const options = { domain: "app.example" }
    const given = { providers, secret, trustHost, pages, cookies: { state: { options } } }
    const engine = engineOf(given)

    secret.unshift("newest")
    trustHost.push("evil.example")
    providers.push({ ...idp, id: "another" })
    pages.signIn = "/elsewhere"
    options.domain = "evil.example"

    expect(engine).toMatchObject({ secrets: ["new", "old"], trustHost: ["app.example"], pages: { signIn: "/login" } })
    expect([...engine.providers.keys()]).toEqual(["idp"])
    expect(engine.cookies.https.state.options.domain).toBe("app.example")
  })
})

describe("an engine", () => {
  it("cannot be changed", () => {
    expect(Object.isFrozen(engineOf(config()))).toBe(true)
  })

  it("owes nothing to configurations that were compiled before or after", () => {
    const broken = config({
      providers: [
        { id: "email", name: "E-mail", type: "email" },
        { id: "passkey", name: "P", type: "webauthn" },
        { id: "password", name: "P", type: "credentials" },
      ],
      session: { strategy: "database" },
    })

    expect(misconfigurationOf(broken)).toBeDefined()
    expect(engineOf(config()).providers.size).toBe(1)
    expect(misconfigurationOf(broken)).toBeDefined()
  })

  it("shares no options with another one made of the same provider object", () => {
    const provider = everything().providers[1] as OAuthConfig
    const one = engineOf(config({ providers: [provider] }))
    const other = engineOf(
      config({
        providers: [{ ...provider, options: { clientId: "other", authorization: { params: { scope: "z" } } } }],
      }),
    )

    expect(one.providers.get("oauth")).toMatchObject({ clientId: "id", authorization: { params: { scope: "c" } } })
    expect(other.providers.get("oauth")).toMatchObject({ clientId: "other", authorization: { params: { scope: "z" } } })
    expect(one.providers.get("oauth")).toMatchObject({ clientId: "id", authorization: { params: { scope: "c" } } })
  })

  it("does not read the sessions of one with another secret, and reads those of one with the same", async () => {
    const logger = recordingLogger()
    const engine = engineOf(config())

    expect(await roundTrip(engine, { by: engineOf(config({ secret: "another", logger })) })).toBeNull()
    expect(await roundTrip(engine, { by: engineOf(config({ secret: ["newer", "secret"] })) })).not.toBeNull()
    expect(logger.errors).toHaveLength(1)
  })
})
