import { describe, expect, it } from "@jest/globals"
import { createActionURL, isLoopback, isTrustedHost, type Env } from "../../../src/core/http/origin.js"
import type { AuthAction, WarningCode } from "../../../src/core/types.js"

interface Example {
  readonly what: string
  readonly action?: AuthAction
  readonly protocol?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly env?: Env
  readonly basePath?: string
  readonly url: string
  readonly warnings?: readonly WarningCode[]
}

function build(example: Omit<Example, "what" | "url" | "warnings">): {
  readonly url: URL
  readonly warnings: readonly WarningCode[]
} {
  const { action = "signout", protocol, headers = {}, env = {}, basePath } = example
  const warnings: WarningCode[] = []
  const logger = { warn: (code: WarningCode) => void warnings.push(code) }
  const url = createActionURL(action, protocol as string, new Headers(headers), env, { basePath, logger })
  return { url, warnings }
}

const contract: readonly Example[] = [
  {
    what: "the host, https by default",
    action: "callback",
    headers: { host: "example.com" },
    basePath: "/basepath",
    url: "https://example.com/basepath/callback",
  },
  {
    what: "the protocol that the framework says",
    action: "callback",
    protocol: "http",
    headers: { host: "example.com" },
    basePath: "/basepath",
    url: "http://example.com/basepath/callback",
  },
  {
    what: "the protocol with its colon",
    protocol: "https:",
    headers: { host: "example.com" },
    basePath: "/basepath",
    url: "https://example.com/basepath/signout",
  },
  {
    what: "the forwarded host before the host",
    headers: { host: "example.com", "x-forwarded-host": "forwarded.example" },
    basePath: "/basepath",
    url: "https://forwarded.example/basepath/signout",
  },
  {
    what: "the forwarded protocol before the framework's",
    protocol: "http",
    headers: { host: "example.com", "x-forwarded-proto": "https" },
    basePath: "/basepath",
    url: "https://example.com/basepath/signout",
  },
  {
    what: "AUTH_URL with a base path",
    env: { AUTH_URL: "http://localhost:3000" },
    basePath: "/api/auth",
    url: "http://localhost:3000/api/auth/signout",
  },
  {
    what: "the path of AUTH_URL without a base path",
    env: { AUTH_URL: "https://sub.domain.env.com/api/auth" },
    url: "https://sub.domain.env.com/api/auth/signout",
  },
  {
    what: "AUTH_URL whose path is the base path",
    env: { AUTH_URL: "http://localhost:3000/my-app/api/auth" },
    basePath: "/my-app/api/auth",
    url: "http://localhost:3000/my-app/api/auth/signout",
  },
  {
    what: "the base path before a different path of AUTH_URL, with a warning",
    env: { AUTH_URL: "https://sub.domain.env.com/my-app" },
    basePath: "/api/auth",
    url: "https://sub.domain.env.com/api/auth/signout",
    warnings: ["env-url-basepath-mismatch"],
  },
]

const more: readonly Example[] = [
  {
    what: "a trailing slash of AUTH_URL as a mismatch",
    env: { AUTH_URL: "https://app.example/auth/" },
    basePath: "/auth",
    url: "https://app.example/auth/signout",
    warnings: ["env-url-basepath-mismatch"],
  },
  {
    what: "one trailing slash of AUTH_URL away",
    env: { AUTH_URL: "https://app.example/auth/" },
    url: "https://app.example/auth/signout",
  },
  {
    what: "AUTH_URL before NEXTAUTH_URL",
    env: { AUTH_URL: "https://new.example", NEXTAUTH_URL: "https://old.example" },
    basePath: "/auth",
    url: "https://new.example/auth/signout",
  },
  {
    what: "NEXTAUTH_URL in place of AUTH_URL",
    env: { NEXTAUTH_URL: "https://old.example" },
    basePath: "/auth",
    url: "https://old.example/auth/signout",
  },
  {
    what: "NEXTAUTH_URL when AUTH_URL is empty",
    env: { AUTH_URL: "", NEXTAUTH_URL: "https://old.example" },
    basePath: "/auth",
    url: "https://old.example/auth/signout",
  },
  {
    what: "the headers when AUTH_URL is empty",
    env: { AUTH_URL: "" },
    headers: { host: "app.example" },
    basePath: "/auth",
    url: "https://app.example/auth/signout",
  },
  {
    what: "AUTH_URL before every header",
    env: { AUTH_URL: "https://app.example" },
    headers: { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
    basePath: "/auth",
    url: "https://app.example/auth/signout",
  },
  {
    what: "the first of several forwarded protocols",
    headers: { host: "app.example", "x-forwarded-proto": "https,http" },
    basePath: "/auth",
    url: "https://app.example/auth/signout",
  },
  {
    what: "the first of several forwarded hosts",
    headers: { host: "inner", "x-forwarded-host": " app.example , proxy.example" },
    basePath: "/auth",
    url: "https://app.example/auth/signout",
  },
  {
    what: "the host when the forwarded one is empty",
    headers: { host: "app.example", "x-forwarded-host": "", "x-forwarded-proto": "" },
    protocol: "http",
    basePath: "/auth",
    url: "http://app.example/auth/signout",
  },
  {
    what: "the port",
    headers: { host: "localhost:3000" },
    protocol: "http",
    basePath: "/auth",
    url: "http://localhost:3000/auth/signout",
  },
  { what: "no base path as none", headers: { host: "app.example" }, url: "https://app.example/signout" },
  {
    what: "the base path / as none",
    headers: { host: "app.example" },
    basePath: "/",
    url: "https://app.example/signout",
  },
  {
    what: "slashes around the base path away",
    headers: { host: "app.example" },
    basePath: "/api/auth/",
    url: "https://app.example/api/auth/signout",
  },
  {
    what: "nothing but the origin from a host that brings a path",
    headers: { host: "app.example/evil?x=" },
    basePath: "/auth",
    url: "https://app.example/auth/signout",
  },
]

describe("createActionURL", () => {
  it.each([...contract, ...more])("takes $what", ({ url, warnings = [], ...example }) => {
    const built = build(example)

    expect(built.url).toBeInstanceOf(URL)
    expect(built.url.href).toBe(url)
    expect(built.warnings).toEqual(warnings)
  })

  it("needs no logger", () => {
    const env = { AUTH_URL: "https://app.example/other" }

    expect(createActionURL("signin", "https", new Headers(), env, { basePath: "/auth" }).href).toBe(
      "https://app.example/auth/signin",
    )
  })

  it.each<readonly [string, Omit<Example, "what" | "url">]>([
    ["there is no host", {}],
    ["the host is malformed", { headers: { host: "a b" } }],
    ["AUTH_URL is no address", { env: { AUTH_URL: "app.example" } }],
    ["the protocol has no hosts", { headers: { host: "app.example", "x-forwarded-proto": "javascript" } }],
  ])("throws a TypeError when %s", (_what, example) => {
    expect(() => build({ basePath: "/auth", ...example })).toThrow(expect.objectContaining({ name: "TypeError" }))
  })
})

describe("isTrustedHost", () => {
  it.each<readonly [string, boolean | readonly string[], boolean]>([
    ["https://app.example/auth", true, true],
    ["https://app.example/auth", false, false],
    ["https://app.example/auth", [], false],
    ["https://app.example/auth", ["app.example"], true],
    ["https://app.example/auth", ["other.example", "app.example"], true],
    ["https://APP.example/auth", ["App.Example"], true],
    ["https://evil.example/auth", ["app.example"], false],
    ["https://app.example.evil.example", ["app.example"], false],
    ["https://evilapp.example", ["app.example"], false],
    ["https://sub.app.example", ["app.example"], false],
    ["https://app.example./auth", ["app.example"], false],
    ["https://evil.example/app.example", ["app.example"], false],
    ["https://app.example@evil.example", ["app.example"], false],
    ["https://app.example:8443", ["app.example:8443"], true],
    ["https://app.example:8444", ["app.example:8443"], false],
    ["https://app.example", ["app.example:8443"], false],
    ["https://app.example:8443", ["app.example"], true],
    ["https://a.app.example", ["*.app.example"], true],
    ["https://a.b.app.example", ["*.app.example"], true],
    ["https://A.app.example", ["*.APP.example"], true],
    ["https://a.app.example:8443", ["*.app.example"], true],
    ["https://app.example", ["*.app.example"], false],
    ["https://evilapp.example", ["*.app.example"], false],
    ["https://app.example.evil.example", ["*.app.example"], false],
    ["https://a.app.example.evil.example", ["*.app.example"], false],
    ["https://anything.example", ["*"], false],
    ["http://localhost:3000", ["localhost"], true],
    ["http://[::1]:3000", ["[::1]"], true],
    ["http://[::1]:3000", ["[::1]:3000"], true],
  ])("of %s by %j is %s", (url, trustHost, expected) => {
    expect(isTrustedHost(new URL(url), trustHost)).toBe(expected)
  })
})

describe("isLoopback", () => {
  it.each(["localhost", "app.localhost", "a.b.localhost", "127.0.0.1", "127.1.2.3", "127.255.255.255", "[::1]"])(
    "is true for %s",
    (hostname) => {
      expect(isLoopback(hostname)).toBe(true)
    },
  )

  it.each([
    "",
    "app.example",
    "localhost.example",
    "evillocalhost",
    "127.0.0.1.example",
    "1127.0.0.1",
    "127.0.0",
    "128.0.0.1",
    "10.0.0.1",
    "192.168.0.1",
    "0.0.0.0",
    "[::]",
    "[::2]",
    "169.254.169.254",
  ])("is false for %j", (hostname) => {
    expect(isLoopback(hostname)).toBe(false)
  })
})
