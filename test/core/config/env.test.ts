import { describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../../src/core/config/config.js"
import { setEnvDefaults } from "../../../src/core/config/env.js"
import type { Env } from "../../../src/core/http/origin.js"
import type { EmailConfig, OAuthConfig, OAuthUserConfig, Provider } from "../../../src/providers/kinds.js"
import { deepFreeze } from "../../support/core-deep-freeze.js"
import { recordingLogger } from "../../support/core-recording-logger.js"

function complete(env: Env, config: Partial<AuthConfig> = {}, suppressBasePathWarning?: boolean): AuthConfig {
  const completed: AuthConfig = { providers: [], ...config }
  setEnvDefaults(env, completed, suppressBasePathWarning)
  return completed
}

describe("basePath", () => {
  it.each<readonly [string, Env, string | undefined, string]>([
    ["/auth without anything", {}, undefined, "/auth"],
    ["the path of AUTH_URL", { AUTH_URL: "https://app.example/api/auth" }, undefined, "/api/auth"],
    ["the root when AUTH_URL has no path", { AUTH_URL: "https://app.example" }, undefined, "/"],
    ["what is configured before AUTH_URL", { AUTH_URL: "https://app.example/api/auth" }, "/login", "/login"],
    ["what is configured without AUTH_URL", {}, "/login", "/login"],
    ["/auth when AUTH_URL is no address", { AUTH_URL: "app.example" }, undefined, "/auth"],
    ["/auth when AUTH_URL is empty", { AUTH_URL: "" }, undefined, "/auth"],
    ["the path of NEXTAUTH_URL", { NEXTAUTH_URL: "https://app.example/api/auth" }, undefined, "/api/auth"],
    ["/auth when it is configured to be empty", {}, "", "/auth"],
  ])("is %s", (_what, env, configured, expected) => {
    expect(complete(env, { basePath: configured }).basePath).toBe(expected)
  })

  it("brings a warning when AUTH_URL is set as well, unless that is suppressed", () => {
    const env = { AUTH_URL: "https://app.example/api/auth" }
    const warned = recordingLogger()
    const silent = recordingLogger()
    complete(env, { basePath: "/login", logger: warned })
    complete(env, { basePath: "/login", logger: silent }, true)
    complete(env, { logger: silent })
    complete({}, { basePath: "/login", logger: silent })

    expect(warned.warnings).toEqual(["env-url-basepath-redundant"])
    expect(silent.warnings).toEqual([])
  })
})

describe("secret", () => {
  const numbered = { AUTH_SECRET: "zero", AUTH_SECRET_1: "one", AUTH_SECRET_2: "two", AUTH_SECRET_3: "three" }

  it.each<readonly [string, Env, readonly string[]]>([
    ["AUTH_SECRET", { AUTH_SECRET: "zero" }, ["zero"]],
    ["every numbered secret, highest first", numbered, ["three", "two", "one", "zero"]],
    ["those there are", { AUTH_SECRET: "zero", AUTH_SECRET_2: "two" }, ["two", "zero"]],
    ["a numbered secret alone", { AUTH_SECRET_1: "one" }, ["one"]],
    ["NEXTAUTH_SECRET", { NEXTAUTH_SECRET: "old" }, ["old"]],
    ["AUTH_SECRET before NEXTAUTH_SECRET", { AUTH_SECRET: "zero", NEXTAUTH_SECRET: "old" }, ["zero"]],
    ["NEXTAUTH_SECRET when AUTH_SECRET is empty", { AUTH_SECRET: "", NEXTAUTH_SECRET: "old" }, ["old"]],
    ["none when there is none", {}, []],
    ["none when AUTH_SECRET is empty", { AUTH_SECRET: "" }, []],
    ["only three numbered secrets", { ...numbered, AUTH_SECRET_4: "four" }, ["three", "two", "one", "zero"]],
  ])("is %s", (_what, env, expected) => {
    expect(complete(env).secret).toEqual(expected)
  })

  // A variable that is set to nothing, as a compose file does, is missing.
  it.each<readonly [string, Env, readonly string[]]>([
    ["an empty AUTH_SECRET_1", { AUTH_SECRET: "zero", AUTH_SECRET_1: "" }, ["zero"]],
    ["an empty AUTH_SECRET_3", { ...numbered, AUTH_SECRET_3: "" }, ["two", "one", "zero"]],
    ["an empty NEXTAUTH_SECRET", { NEXTAUTH_SECRET: "" }, []],
  ])("leaves out %s", (_what, env, expected) => {
    expect(complete(env).secret).toEqual(expected)
  })

  it.each<readonly [string, AuthConfig["secret"], unknown]>([
    ["a configured text", "mine", "mine"],
    ["a configured list", ["mine", "older"], ["mine", "older"]],
    ["the environment in place of an empty text", "", ["zero"]],
    ["the environment in place of an empty list", [], ["zero"]],
  ])("is %s", (_what, secret, expected) => {
    expect(complete({ AUTH_SECRET: "zero" }, { secret }).secret).toEqual(expected)
  })
})

describe("redirectProxyUrl", () => {
  it.each<readonly [string, Env, string | undefined, string | undefined]>([
    ["nothing", {}, undefined, undefined],
    ["AUTH_REDIRECT_PROXY_URL", { AUTH_REDIRECT_PROXY_URL: "https://p.example" }, undefined, "https://p.example"],
    [
      "what is configured",
      { AUTH_REDIRECT_PROXY_URL: "https://p.example" },
      "https://own.example",
      "https://own.example",
    ],
  ])("is %s", (_what, env, redirectProxyUrl, expected) => {
    expect(complete(env, { redirectProxyUrl }).redirectProxyUrl).toBe(expected)
  })
})

describe("trustHost", () => {
  const production = { NODE_ENV: "production" }

  it.each<readonly [string, Env, boolean]>([
    ["without anything", {}, true],
    ["in development", { NODE_ENV: "development" }, true],
    ["in production", production, false],
    ["in production with AUTH_URL", { ...production, AUTH_URL: "https://app.example" }, true],
    ["in production with NEXTAUTH_URL", { ...production, NEXTAUTH_URL: "https://app.example" }, true],
    ["in production with an empty AUTH_URL", { ...production, AUTH_URL: "" }, false],
    ["with an empty AUTH_URL and AUTH_TRUST_HOST", { ...production, AUTH_URL: "", AUTH_TRUST_HOST: "true" }, true],
    ["with AUTH_TRUST_HOST=true", { ...production, AUTH_TRUST_HOST: "true" }, true],
    ["with AUTH_TRUST_HOST=1", { ...production, AUTH_TRUST_HOST: "1" }, true],
    ["with AUTH_TRUST_HOST=false", { ...production, AUTH_TRUST_HOST: "false" }, false],
    ["with AUTH_TRUST_HOST=FALSE", { ...production, AUTH_TRUST_HOST: "FALSE" }, false],
    ["with AUTH_TRUST_HOST=0", { ...production, AUTH_TRUST_HOST: "0" }, false],
    ["with AUTH_TRUST_HOST=no", { ...production, AUTH_TRUST_HOST: "no" }, false],
    ["with AUTH_TRUST_HOST=false outside production", { AUTH_TRUST_HOST: "false" }, false],
    ["with AUTH_TRUST_HOST=false on Vercel", { ...production, AUTH_TRUST_HOST: "false", VERCEL: "1" }, false],
    ["with AUTH_TRUST_HOST empty", { ...production, AUTH_TRUST_HOST: "" }, false],
    ["on Vercel", { ...production, VERCEL: "1" }, true],
    ["on Cloudflare Pages", { ...production, CF_PAGES: "1" }, true],
  ])("%s is as the table says", (_what, env, expected) => {
    expect(complete(env).trustHost).toBe(expected)
  })

  it.each([true, false, ["app.example"]])("stays %j when that is configured", (trustHost) => {
    expect(complete({ AUTH_URL: "https://app.example" }, { trustHost }).trustHost).toEqual(trustHost)
    expect(complete({ NODE_ENV: "production" }, { trustHost }).trustHost).toEqual(trustHost)
  })
})

describe("providers", () => {
  const env = {
    AUTH_MY_IDP_ID: "env-id",
    AUTH_MY_IDP_SECRET: "env-secret",
    AUTH_MY_IDP_ISSUER: "https://env.example",
    AUTH_MY_IDP_KEY: "env-key",
  }
  const idp = (options: OAuthUserConfig = {}): OAuthConfig => ({ id: "my-idp", name: "IdP", type: "oauth", options })

  function completed(provider: AuthConfig["providers"][number]): Provider {
    const [first] = complete(env, { providers: [provider] }).providers
    expect(typeof first).toBe("object")
    return first as Provider
  }

  it("given as objects get id, secret and issuer from variables named after their own id", () => {
    expect(completed(idp())).toMatchObject({
      clientId: "env-id",
      clientSecret: "env-secret",
      issuer: "https://env.example",
    })
  })

  it("keep what they say themselves", () => {
    expect(completed({ ...idp(), clientId: "own", issuer: "https://own.example" })).toMatchObject({
      clientId: "own",
      clientSecret: "env-secret",
      issuer: "https://own.example",
    })
  })

  it("keep their options, which count more than the environment later on", () => {
    expect(completed(idp({ clientId: "mine" })).options).toEqual({ clientId: "mine" })
  })

  it("given as functions are called once to learn the id, and again with what the environment says", () => {
    const calls: unknown[] = []
    const factory = (options: OAuthUserConfig): OAuthConfig => {
      calls.push(options)
      return idp(options)
    }

    const provider = completed(factory)

    expect(calls).toStrictEqual([
      {},
      {
        clientId: "env-id",
        clientSecret: "env-secret",
        issuer: "https://env.example",
        apiKey: "env-key",
      },
    ])
    expect(provider).toMatchObject({ id: "my-idp", clientId: "env-id", clientSecret: "env-secret" })
  })

  it("that send e-mail get an API key", () => {
    const email = (own: Partial<EmailConfig>): EmailConfig => ({ id: "my-idp", name: "Mail", type: "email", ...own })

    expect(completed(email({}))).toMatchObject({ apiKey: "env-key" })
    expect(completed(email({ apiKey: "own" }))).toMatchObject({ apiKey: "own" })
    expect(completed(email({}))).not.toHaveProperty("clientId")
  })

  it("of other kinds are taken as they are", () => {
    const credentials: Provider = { id: "my-idp", name: "Password", type: "credentials" }

    expect(completed(credentials)).toEqual(credentials)
  })

  it("find nothing where the environment says nothing", () => {
    const [provider] = complete({}, { providers: [idp()] }).providers

    expect(provider).toEqual(idp())
  })

  // The id in the variables' names is the vendor's: an application that renames a provider keeps its variables.
  it("find their variables when options.id renames them", () => {
    expect(completed({ ...idp(), options: { id: "renamed" } })).toMatchObject({ clientId: "env-id" })
  })

  it("are not written to", () => {
    const provider = deepFreeze(idp({ clientId: "mine" }))
    const providers = Object.freeze([provider])
    const config: AuthConfig = { providers }

    setEnvDefaults(env, config)

    expect(config.providers).not.toBe(providers)
    expect(provider).toEqual(idp({ clientId: "mine" }))
  })

  // `process.env.GITHUB ? GitHub : undefined` in a list is reported when the configuration is compiled.
  it.each([[undefined], [null], [false], [""], [{ type: "oauth" }]])(
    "that are none (%j) are left to be reported with the other problems",
    (entry) => {
      const config = { providers: [entry] } as unknown as AuthConfig

      expect(() => setEnvDefaults(env, config)).not.toThrow()
    },
  )
})

describe("setEnvDefaults", () => {
  it("reads only the environment that it is given", () => {
    const config: AuthConfig = { providers: [] }
    const read: string[] = []
    const env = new Proxy({}, { get: (_target, name) => void read.push(String(name)) })

    setEnvDefaults(env, config)

    expect(read).toContain("AUTH_SECRET")
    expect(config.secret).toEqual([])
  })

  it("writes these five members and no others", () => {
    const config: AuthConfig = { providers: [], debug: true }

    setEnvDefaults({ AUTH_SECRET: "s" }, config)

    expect(config).toEqual({
      providers: [],
      debug: true,
      secret: ["s"],
      basePath: "/auth",
      trustHost: true,
      redirectProxyUrl: undefined,
    })
  })
})
