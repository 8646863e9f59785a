import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import {
  actions,
  allowedMethods,
  answersPages,
  isAuthAction,
  parseRoute,
  type ActionName,
  type Route,
} from "../../../src/core/actions/table.js"
import type { AuthAction } from "../../../src/core/types.js"

const names: readonly AuthAction[] = [
  "providers",
  "session",
  "csrf",
  "signin",
  "signout",
  "callback",
  "verify-request",
  "error",
  "webauthn-options",
]
const withProvider: readonly AuthAction[] = ["signin", "callback", "webauthn-options"]

const none = undefined
const to = (action: AuthAction, providerId?: string): Route => ({ action, providerId })

const contract: readonly (readonly [basePath: string, path: string, route: Route | undefined])[] = [
  ["/auth", "/auuth/signin", none],
  ["/auth", "/api/auth/signin", none],
  ["/auth", "/auth/auth/signin/github", none],
  ["/api/auth", "/api/auth/signinn", none],
  ["/api/auth", "/api/auth/signinn/github", none],
  ["/api/auth", "/api/auth/signin/github/github", none],
  ["/api/auth", "/api/auth/signin/api/auth/signin/github", none],
  ["/api/auth", "/api/auth/signin/github", to("signin", "github")],
  ["/api/auth", "/api/auth/signin/github/", to("signin", "github")],
  ["/auth", "/auth/signin/auth0///", to("signin", "auth0")],
  ["/auth", "/auth/signin/undefined", to("signin")],
]

const boundaries: readonly (readonly [basePath: string, path: string, route: Route | undefined])[] = [
  ["/auth", "/auth/session", to("session")],
  ["/auth", "/auth/session/", to("session")],
  ["/auth", "/auth/session///", to("session")],
  ["/auth", "/auth/signin/github//", to("signin", "github")],
  ["/auth", "/auth//session", none],
  ["/auth", "/auth/signin//github", none],
  ["/auth", "/auth///signin/github", none],
  ["/auth", "/authsession", none],
  ["/auth", "/auth", none],
  ["/auth", "/auth/", none],
  ["/auth", "/auth///", none],
  ["/auth", "/", none],
  ["/auth", "", none],
  ["/auth", "/AUTH/session", none],
  ["/auth", "/auth/SESSION", none],
  ["/auth", "//auth/session", none],
  ["/a.b", "/a.b/session", to("session")],
  ["/a.b", "/axb/session", none],
  ["/a+b(c)", "/a+b(c)/session", to("session")],
  ["/(.*)", "/auth/session", none],
  ["", "/session", to("session")],
  ["", "/signin/github", to("signin", "github")],
  ["", "/auth/session", none],
  ["/auth", "/auth/%73ession", none],
  ["/auth", "/%61uth/session", none],
  ["/auth", "/auth%2fsession", none],
  ["/auth", "/auth/signin%2fgithub", none],
  ["/auth", "/auth/signin/git%68ub", to("signin", "git%68ub")],
  ["/auth", "/auth/signin/a%2fb", to("signin", "a%2fb")],
  ["/auth", "/auth/session/github", none],
  ["/auth", "/auth/csrf/x", none],
  ["/auth", "/auth/error/undefined", none],
  ["/auth", "/auth/constructor", none],
  ["/auth", "/auth/__proto__", none],
  ["/auth", "/auth/toString", none],
  ["/auth", "/auth/callback", to("callback")],
  ["/auth", "/auth/callback/undefined", to("callback")],
  ["/auth", "/auth/webauthn-options/passkey", to("webauthn-options", "passkey")],
  ["/auth", "/auth/signin/__proto__", to("signin", "__proto__")],
]

const logout: readonly (readonly [path: string, route: Route | undefined])[] = [
  ["/auth/callback/idp/logout", { action: "callback/logout", providerId: "idp" }],
  ["/auth/callback/idp/logout//", { action: "callback/logout", providerId: "idp" }],
  ["/auth/callback%2flogout/idp", none],
  ["/auth/callback/idp/constructor", none],
  ["/auth/callback/logout", to("callback", "logout")],
  ["/auth/callback/idp/Logout", none],
  ["/auth/callback/idp/signin", none],
  ["/auth/callback/idp//logout", none],
  ["/auth/callback//logout", none],
  ["/auth/callback/idp/logout/more", none],
  ["/auth/signin/idp/logout", none],
  ["/auth/webauthn-options/idp/logout", none],
  ["/auth/session/idp/logout", none],
]

describe("parseRoute", () => {
  it.each([...contract, ...boundaries])("below %j, reads %j", (basePath, path, route) => {
    expect(parseRoute(path, basePath)).toEqual(route)
  })

  it.each(logout)("below /auth, reads %j", (path, route) => {
    expect(parseRoute(path, "/auth")).toEqual(route)
  })

  it.each(names)("finds %s, and a provider only where one may stand", (action) => {
    expect(parseRoute(`/auth/${action}`, "/auth")).toEqual(to(action))
    expect(parseRoute(`/auth/${action}/x`, "/auth")).toEqual(withProvider.includes(action) ? to(action, "x") : none)
  })

  it("finds an action nowhere but directly below the base path", () => {
    const segment = fc.oneof(fc.constantFrom("auth", "api", "signin", "session", "x", "..", ""), fc.webSegment())
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
        const path = `/${segments.join("/")}`
        const route = parseRoute(path, "/auth")
        const [first, action, provider, ...more] = path.replace(/\/+$/, "").split("/").slice(1)
        const expected = first === "auth" && isAuthAction(action ?? "") && more.length === 0 && provider !== ""
        if (!expected) expect(route).toBeUndefined()
        else if (provider === undefined) expect(route).toEqual(to(action as AuthAction))
      }),
      { numRuns: 500 },
    )
  })
})

describe("isAuthAction", () => {
  it.each(names)("is true for %s", (action) => {
    expect(isAuthAction(action)).toBe(true)
  })

  it.each([
    "",
    "Signin",
    "sign-in",
    "signin/",
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "verifyRequest",
    "callback/logout",
  ])("is false for %j", (action) => {
    expect(isAuthAction(action)).toBe(false)
  })
})

describe("allowedMethods", () => {
  it.each<readonly [ActionName, string]>([
    ["providers", "GET, HEAD"],
    ["csrf", "GET, HEAD"],
    ["session", "GET, HEAD, POST"],
    ["signin", "GET, HEAD, POST"],
    ["signout", "GET, HEAD, POST"],
    // HEAD must be safe, and following a callback is not.
    ["callback", "GET, POST"],
    ["callback/logout", "GET, POST"],
    ["verify-request", "GET, HEAD"],
    ["error", "GET, HEAD"],
    ["webauthn-options", "GET, HEAD"],
  ])("of %s are %s", (action, methods) => {
    expect(allowedMethods(actions[action])).toBe(methods)
  })
})

describe("answersPages", () => {
  it.each(names)("is what the table says of %s", (action) => {
    expect(answersPages(to(action, "idp"), "POST")).toBe(actions[action].isPage)
  })

  it("is false for what a provider's server posts, and true for a browser that comes back", () => {
    const route: Route = { action: "callback/logout", providerId: "idp" }
    expect([answersPages(route, "POST"), answersPages(route, "GET")]).toEqual([false, true])
  })
})

describe("the table", () => {
  it("has the nine actions, and a row for logouts at providers", () => {
    expect(Object.keys(actions).sort()).toEqual([...names, "callback/logout"].sort())
  })

  it("is frozen", () => {
    expect(Object.isFrozen(actions)).toBe(true)
  })

  it("protects the POSTs that the contract names", () => {
    expect(Object.fromEntries(Object.entries(actions).map(([name, { csrf }]) => [name, csrf]))).toEqual({
      ...Object.fromEntries(names.map((name) => [name, "never"])),
      "callback/logout": "never",
      session: "always",
      signin: "always",
      signout: "always",
      callback: ["credentials"],
    })
  })
})
