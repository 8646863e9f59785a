import { describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../../src/core/config/config.js"
import type { Problem } from "../../../src/core/config/problem.js"
import { configurationError, findProblems } from "../../../src/core/config/validate.js"
import { compile } from "../../../src/core/engine/compile.js"
import {
  AuthError,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAdapter,
  MissingAuthorize,
  MissingSecretError,
  UnsupportedStrategy,
} from "../../../src/core/errors.js"
import type { CredentialsConfig, OAuthConfig, Provider } from "../../../src/providers/kinds.js"
import { testPorts } from "../../support/core-ports.js"
import { recordingLogger } from "../../support/core-recording-logger.js"

const idp: OAuthConfig = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.example" }
const password: CredentialsConfig = { id: "password", name: "Password", type: "credentials", authorize: () => null }
const endpoints = {
  authorization: "https://idp.example/authorize",
  token: "https://idp.example/token",
  userinfo: "https://idp.example/userinfo",
}
const oauth: OAuthConfig = { id: "oauth", name: "OAuth", type: "oauth", ...endpoints }

/** A configuration without problems, with some members replaced by what an application without types may write. */
function config(members: Readonly<Record<string, unknown>> = {}): AuthConfig {
  return { providers: [idp, password, oauth], secret: "secret", logger: recordingLogger(), ...members }
}

function errorOf(given: AuthConfig, development = false): AuthError | undefined {
  const compiled = compile(given, testPorts({ development }))
  if (compiled.kind === "engine") return undefined
  const { error } = compiled.misconfiguration
  if (!(error instanceof AuthError)) throw error
  return error
}

function problemsOf(given: AuthConfig, development = false): readonly string[] {
  const { problems } = (errorOf(given, development)?.cause ?? { problems: [] }) as {
    readonly problems: readonly Problem[]
  }
  return problems.map(({ path, expected }) => `${path}: ${expected}`)
}

/** The message without the address of further reading that ends every one. */
function messageOf(error: Error | undefined): string | undefined {
  return error?.message.replace(/\. Read more at https:\/\/errors\.authjs\.dev#\w+$/, "")
}

describe("a configuration in order", () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ["nothing but what is needed", {}],
    ["no providers yet", { providers: [] }],
    ["a list of secrets", { secret: ["new", "old"] }],
    ["a list of hosts", { trustHost: ["app.example", "*.app.example"] }],
    ["the shortest times", { session: { maxAge: 1, updateAge: 0 } }],
    ["pages that are switched off", { pages: { signIn: "", error: "" } }],
    ["pages elsewhere", { pages: { signIn: "https://id.example/login", error: "/oops?x=1" } }],
    ["colours", { theme: { brandColor: "#1a73e8", buttonText: "rgb(0 0 0 / 50%)", colorScheme: "dark" } }],
    ["colours that are switched off", { theme: { brandColor: "", buttonText: "", logo: "" } }],
    ["members that say undefined", { basePath: undefined, session: undefined, pages: undefined, cookies: undefined }],
    ["the strategy it has anyway", { session: { strategy: "jwt" } }],
    ["a cookie name of every character", { cookies: { state: { name: "__Host-a.b!#$%&'*+^_`|~9" } } }],
  ])("may have %s", (_what, members) => {
    expect(problemsOf(config(members))).toEqual([])
  })
})

const seconds = "a positive number of seconds"
const address = "an absolute http(s) address"
const secrets = "a string or a list of strings, none empty"

const broken: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [{ secret: undefined }, "secret: Please define a `secret`"],
  [{ secret: "" }, "secret: Please define a `secret`"],
  [{ secret: [] }, "secret: Please define a `secret`"],
  [{ secret: ["new", ""] }, `secret: ${secrets}`],
  [{ secret: 42 }, `secret: ${secrets}`],
  [{ secret: ["new", 42] }, `secret: ${secrets}`],
  [{ basePath: 1 }, 'basePath: a path such as "/auth"'],
  [{ debug: "yes" }, "debug: true or false"],
  [{ useSecureCookies: 1 }, "useSecureCookies: true or false"],
  [{ trustHost: "app.example" }, "trustHost: true, false, or a list of host names"],
  [{ trustHost: [""] }, "trustHost: true, false, or a list of host names"],
  [{ redirectProxyUrl: "/auth" }, `redirectProxyUrl: ${address}`],
  [{ redirectProxyUrl: "ftp://x" }, `redirectProxyUrl: ${address}`],
  [{ session: { strategy: "cookie" } }, 'session.strategy: "jwt" or "database"'],
  [{ session: { maxAge: -1 } }, `session.maxAge: ${seconds}`],
  [{ session: { maxAge: 0 } }, `session.maxAge: ${seconds}`],
  [{ session: { maxAge: 1e15 } }, `session.maxAge: ${seconds}`],
  [{ session: { maxAge: NaN } }, `session.maxAge: ${seconds}`],
  [{ session: { maxAge: Infinity } }, `session.maxAge: ${seconds}`],
  [{ session: { maxAge: "30d" } }, `session.maxAge: ${seconds}`],
  [{ session: { maxAge: null } }, `session.maxAge: ${seconds}`],
  [{ session: { updateAge: -1 } }, "session.updateAge: a number of seconds, 0 or more"],
  [{ session: { generateSessionToken: "x" } }, "session.generateSessionToken: a function that returns a string"],
  [{ jwt: { maxAge: 0 } }, `jwt.maxAge: ${seconds}`],
  [{ jwt: { secret: [] } }, `jwt.secret: ${secrets}`],
  [{ jwt: { encode: true } }, "jwt.encode: a function"],
  [{ jwt: { decode: true } }, "jwt.decode: a function"],
  [{ theme: { colorScheme: "blue" } }, 'theme.colorScheme: "auto", "dark" or "light"'],
  [{ theme: { brandColor: "red; } body { display: none" } }, "theme.brandColor: a CSS colour"],
  [{ theme: { buttonText: "url('//evil.example')" } }, "theme.buttonText: a CSS colour"],
  [{ theme: { logo: 1 } }, "theme.logo: the address of an image"],
  [{ callbacks: { signIn: true } }, "callbacks.signIn: a function"],
  [{ callbacks: { redirect: "/" } }, "callbacks.redirect: a function"],
  [{ callbacks: { session: {} } }, "callbacks.session: a function"],
  [{ callbacks: { jwt: null } }, "callbacks.jwt: a function"],
  [{ events: { signIn: "x" } }, "events.signIn: a function"],
  [{ events: { session: 1 } }, "events.session: a function"],
  [{ pages: { signIn: true } }, "pages.signIn: a path or an absolute address"],
  [{ pages: { newUser: 1 } }, "pages.newUser: a path or an absolute address"],
  [
    { cookies: { sessionToken: { name: "a;b" } } },
    "cookies.sessionToken.name: a cookie name (RFC 6265, section 4.1.1)",
  ],
  [{ cookies: { csrfToken: { name: "a b" } } }, "cookies.csrfToken.name: a cookie name (RFC 6265, section 4.1.1)"],
  [{ cookies: { state: { name: "a=b" } } }, "cookies.state.name: a cookie name (RFC 6265, section 4.1.1)"],
  [{ session: { strategy: "database" } }, "adapter: Database session requires an adapter"],
]

describe("a broken option", () => {
  it.each(broken)("in %o is named with what was expected: %s", (members, problem) => {
    expect(problemsOf(config(members))).toEqual([problem])
  })

  it("is described in the message as well", () => {
    const error = errorOf(config({ session: { maxAge: "30d" } }))

    expect(error).toBeInstanceOf(InvalidConfiguration)
    expect(messageOf(error)).toBe("session.maxAge must be a positive number of seconds")
  })

  it("does not put a secret into the error", () => {
    const error = errorOf(config({ secret: ["hunter2", ""], jwt: { secret: { key: "hunter2" } } }))

    expect(JSON.stringify([error?.message, error?.cause])).not.toContain("hunter2")
  })
})

// Only a page, a logo or a colour can be switched off by an empty text.
describe("an empty text", () => {
  it.each<readonly [Readonly<Record<string, unknown>>, string]>([
    [{ session: { maxAge: "" } }, "session.maxAge"],
    [{ session: { updateAge: "" } }, "session.updateAge"],
    [{ session: { strategy: "" } }, "session.strategy"],
    [{ jwt: { maxAge: "" } }, "jwt.maxAge"],
    [{ jwt: { secret: "" } }, "jwt.secret"],
    [{ cookies: { sessionToken: { name: "" } } }, "cookies.sessionToken.name"],
    [{ callbacks: { jwt: "" } }, "callbacks.jwt"],
    [{ trustHost: "" }, "trustHost"],
  ])("in %o is a problem of %s", (members, path) => {
    expect(problemsOf(config(members))).toEqual([expect.stringMatching(`^${path}: `)])
  })
})

describe("a part of the wrong kind", () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ["a session that is a text", { session: "jwt" }, "session"],
    ["callbacks that are null", { callbacks: null }, "callbacks"],
    ["a logger that is null", { logger: null }, "logger"],
    ["a logger whose method is a text", { logger: { error: "console" } }, "logger.error"],
    ["no providers at all", { providers: undefined }, "providers"],
    ["providers that are no list", { providers: { idp } }, "providers"],
  ])("is a problem: %s", (_what, members, path) => {
    expect(problemsOf(config(members))).toEqual([expect.stringMatching(`^${path}\\b`)])
  })
})

const provider = "a provider object, or a function that returns one"
const providerId = 'letters, digits, "-", "_" and "."'

const brokenProviders: readonly (readonly [string, unknown, string])[] = [
  ["is null", null, `providers[0]: ${provider}`],
  ["is undefined", undefined, `providers[0]: ${provider}`],
  ["is false", false, `providers[0]: ${provider}`],
  ["is a text", "github", `providers[0]: ${provider}`],
  ["is a function that returns nothing", () => undefined, `providers[0]: ${provider}`],
  ["has no id", { ...idp, id: undefined }, `providers[0].id: ${providerId}`],
  ["has an empty id", { ...idp, id: "" }, `providers[0].id: ${providerId}`],
  ["has a slash in its id", { ...idp, id: "a/b" }, `providers[0].id: ${providerId}`],
  ["has a percent sign in its id", { ...idp, id: "a%2fb" }, `providers[0].id: ${providerId}`],
  ["has a question mark in its id", { ...idp, id: "a?b" }, `providers[0].id: ${providerId}`],
  ["is called undefined", { ...idp, id: "undefined" }, `providers[0].id: ${providerId}`],
  ["is called ..", { ...idp, id: ".." }, `providers[0].id: ${providerId}`],
  ["is called a/b by its options", { ...idp, options: { id: "a/b" } }, `providers[0].id: ${providerId}`],
  ["has no name", { ...idp, name: undefined }, "providers[0].name: a name to show on the button"],
  [
    "is of an unknown type",
    { ...idp, type: "saml" },
    'providers[0].type: "oauth", "oidc", "email", "credentials" or "webauthn"',
  ],
  ["has an issuer that is no address", { ...idp, issuer: "idp.example" }, `providers[0].issuer: ${address}`],
  ["has an issuer of another scheme", { ...idp, issuer: "ftp://idp.example" }, `providers[0].issuer: ${address}`],
  ["has a relative endpoint", { ...idp, token: "/token" }, `providers[0].token: ${address}`],
  ["has a relative endpoint in an object", { ...idp, userinfo: { url: "x" } }, `providers[0].userinfo: ${address}`],
  [
    "is oidc, with endpoints but without issuer",
    { ...oauth, type: "oidc" },
    "providers[0].issuer: the issuer whose ID tokens are to be believed",
  ],
  ["has the id of another one", { ...idp, id: "taken" }, 'providers[1].id: an id other than "taken", which is taken'],
]

describe("a broken provider", () => {
  it.each(brokenProviders)("that %s is named with what was expected", (_what, given, problem) => {
    expect(problemsOf(config({ providers: [given, { ...password, id: "taken" }] }))).toEqual([problem])
  })

  it("is named when its address of discovery is none", () => {
    expect(problemsOf(config({ providers: [{ ...idp, wellKnown: "/.well-known" }] }))).toEqual([
      `providers[0].wellKnown: ${address}`,
    ])
  })

  it.each(["authorization", "token", "userinfo"])("with an %s endpoint of null does not end the search", (name) => {
    const given = config({ secret: undefined, providers: [{ ...idp, [name]: null }] })

    expect(problemsOf(given)).toContain("secret: Please define a `secret`")
  })

  it("is named by its place in the list", () => {
    expect(problemsOf(config({ providers: [idp, password, { ...oauth, name: "" }] }))).toEqual([
      "providers[2].name: a name to show on the button",
    ])
  })

  it("is found behind a function as well", () => {
    expect(problemsOf(config({ providers: [() => ({ ...oauth, token: "x" })] }))).toEqual([
      `providers[0].token: ${address}`,
    ])
  })

  it("is judged with its options", () => {
    expect(problemsOf(config({ providers: [{ ...idp, options: { issuer: "x" } }] }))).toEqual([
      `providers[0].issuer: ${address}`,
    ])
    expect(problemsOf(config({ providers: [{ ...idp, issuer: undefined, options: { issuer: idp.issuer } }] }))).toEqual(
      [],
    )
  })
})

describe("endpoints", () => {
  const missing = (endpoint: string) =>
    `Provider "oauth" is missing both \`issuer\` and \`${endpoint}\` endpoint config. At least one of them is required`

  it.each<readonly [string, Partial<OAuthConfig>, string]>([
    ["authorization", { authorization: undefined }, "authorization"],
    ["authorization, which has only parameters", { authorization: { params: { scope: "x" } } }, "authorization"],
    ["token", { token: undefined }, "token"],
    ["userinfo", { userinfo: undefined }, "userinfo"],
    [
      "all, of which the first is named",
      { authorization: undefined, token: undefined, userinfo: undefined },
      "authorization",
    ],
    ["token and userinfo, of which the first is named", { token: undefined, userinfo: undefined }, "token"],
  ])("without issuer are missed: %s", (_what, members, endpoint) => {
    const given = config({ providers: [{ ...oauth, ...members }] })

    expect(problemsOf(given)).toEqual([`providers[0].${endpoint}: ${missing(endpoint)}`])
    expect(errorOf(given)).toBeInstanceOf(InvalidEndpoints)
    expect(messageOf(errorOf(given))).toBe(missing(endpoint))
  })

  // Only a profile can be fetched in the provider's own way.
  it.each(["authorization", "token"] as const)("without issuer are missed: %s with nothing but a hook", (endpoint) => {
    const given = { ...oauth, [endpoint]: { request: () => ({}) } }

    expect(problemsOf(config({ providers: [given] }))).toEqual([`providers[0].${endpoint}: ${missing(endpoint)}`])
  })

  it("are not needed for a profile that the provider fetches in its own way", () => {
    expect(problemsOf(config({ providers: [{ ...oauth, userinfo: { request: () => ({}) } }] }))).toEqual([])
  })

  it("are not needed with an issuer", () => {
    expect(problemsOf(config({ providers: [{ ...idp, type: "oauth" }] }))).toEqual([])
  })

  it("may be URL objects", () => {
    const url = new URL(endpoints.token)

    expect(problemsOf(config({ providers: [{ ...oauth, token: { url } }] }))).toEqual([])
  })
})

describe("addresses of plain http", () => {
  const at = (issuer: string) => config({ providers: [{ ...idp, issuer }] })

  it.each([
    "http://localhost",
    "http://localhost:4000/realm",
    "http://idp.localhost:4000",
    "http://127.0.0.1:4000",
    "http://127.8.9.1",
    "http://[::1]:4000",
  ])("are accepted on this machine: %s", (issuer) => {
    expect(problemsOf(at(issuer))).toEqual([])
  })

  it.each([
    "http://idp.example",
    "http://idp.example:443",
    "http://localhost.example",
    "http://127.0.0.1.example",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://[::2]",
    "HTTP://IDP.EXAMPLE",
  ])("are refused elsewhere, except in development: %s", (issuer) => {
    expect(problemsOf(at(issuer))).toEqual(["providers[0].issuer: an https address"])
    expect(problemsOf(at(issuer), true)).toEqual([])
  })

  it.each(["wellKnown", "authorization", "token", "userinfo"] as const)("are refused as %s as well", (name) => {
    const given = config({ providers: [{ ...oauth, [name]: "http://idp.example/x" }] })

    expect(problemsOf(given)).toEqual([`providers[0].${name}: an https address`])
    expect(problemsOf(given, true)).toEqual([])
  })

  it("are refused as url of an endpoint as well", () => {
    const token = { url: "http://idp.example/x" }

    expect(problemsOf(config({ providers: [{ ...oauth, token }] }))).toEqual(["providers[0].token: an https address"])
  })
})

describe("problems of the contract", () => {
  const email = { id: "email", name: "E-mail", type: "email" }
  const webauthn = { id: "passkey", name: "Passkey", type: "webauthn" }
  const database = { strategy: "database" }
  const { authorize: _authorize, ...withoutAuthorize } = password

  it.each<readonly [string, Readonly<Record<string, unknown>>, new (...given: never[]) => AuthError, string]>([
    ["no secret", { secret: undefined }, MissingSecretError, "Please define a `secret`"],
    [
      "credentials alone under the database strategy",
      { providers: [password], session: database },
      UnsupportedStrategy,
      "Signing in with credentials only supported if JWT strategy is enabled",
    ],
    [
      "credentials without authorize",
      { providers: [withoutAuthorize] },
      MissingAuthorize,
      "Must define an authorize() handler to use credentials authentication provider",
    ],
    ["e-mail without an adapter", { providers: [email] }, MissingAdapter, "E-mail login requires an adapter"],
    [
      "the database strategy without an adapter",
      { session: database },
      MissingAdapter,
      "Database session requires an adapter",
    ],
    [
      "the database strategy without an adapter, with credentials among others",
      { providers: [password, idp], session: database },
      MissingAdapter,
      "Database session requires an adapter",
    ],
    [
      "passkeys that are not enabled",
      { providers: [webauthn] },
      ExperimentalFeatureNotEnabled,
      "WebAuthn is an experimental feature. Enable it with `experimental.enableWebAuthn`",
    ],
  ])("have the class and the words of the contract: %s", (_what, members, Class, message) => {
    const error = errorOf(config(members))

    expect(error).toBeInstanceOf(Class)
    expect(messageOf(error)).toBe(message)
  })

  it("accept authorize in the options", () => {
    expect(problemsOf(config({ providers: [{ ...withoutAuthorize, options: { authorize: () => null } }] }))).toEqual([])
  })
})

describe("several problems", () => {
  it("are all reported at once, each with its path", () => {
    const error = errorOf(
      config({
        secret: undefined,
        basePath: 1,
        session: { maxAge: -1, strategy: "database" },
        pages: { signIn: 1 },
        cookies: { state: { name: "a;b" } },
        providers: [
          { ...oauth, id: "a/b", name: "", token: "x" },
          { id: "password", name: "P", type: "credentials" },
          { ...password, id: "password" },
        ],
      }),
    )

    expect(error).toBeInstanceOf(MissingSecretError)
    expect((error?.cause?.["problems"] as readonly Problem[]).map(({ path }) => path)).toEqual([
      "secret",
      "basePath",
      "session.maxAge",
      "pages.signIn",
      "cookies.state.name",
      "providers[0].id",
      "providers[0].name",
      "providers[0].token",
      "providers[1].authorize",
      "providers[2].id",
      "adapter",
    ])
  })

  it("are counted in the message", () => {
    expect(messageOf(errorOf(config({ debug: 1, basePath: 1 })))).toBe(
      'basePath must be a path such as "/auth" (and 1 more)',
    )
  })
})

describe("configurationError", () => {
  const problem: Problem = { path: "a.b", expected: "a number" }

  it("carries the problems as cause", () => {
    expect(configurationError([problem]).cause).toEqual({ problems: [problem] })
  })

  it("is shown to nobody but whoever runs the server", () => {
    const error = configurationError([problem])

    expect(error).toMatchObject({ type: "InvalidConfiguration", kind: "error", status: 500, expose: false })
  })
})

describe("findProblems", () => {
  it("needs no compiled configuration", () => {
    const providers: readonly Provider[] = [idp]

    expect(findProblems({ providers }, providers, { development: true })).toMatchObject([
      { path: "secret", expected: "Please define a `secret`", as: MissingSecretError },
    ])
  })
})
