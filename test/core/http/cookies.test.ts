import { describe, expect, it } from "@jest/globals"
import {
  cookieSettings,
  expireCookie,
  parseCookies,
  serializeCookie,
  type CookieKey,
} from "../../../src/core/http/cookies.js"
import type { CookieSerializeOptions } from "../../../src/core/types.js"

const table: readonly (readonly [CookieKey, string, string, number | undefined])[] = [
  ["sessionToken", "authjs.session-token", "__Secure-authjs.session-token", undefined],
  ["callbackUrl", "authjs.callback-url", "__Secure-authjs.callback-url", undefined],
  ["csrfToken", "authjs.csrf-token", "__Host-authjs.csrf-token", undefined],
  ["pkceCodeVerifier", "authjs.pkce.code_verifier", "__Secure-authjs.pkce.code_verifier", 900],
  ["state", "authjs.state", "__Secure-authjs.state", 900],
  ["nonce", "authjs.nonce", "__Secure-authjs.nonce", undefined],
  ["webauthnChallenge", "authjs.challenge", "__Secure-authjs.challenge", 900],
  ["providerTokens", "authjs.provider-tokens", "__Secure-authjs.provider-tokens", undefined],
]

describe("default cookies", () => {
  it.each(table)("has %s as the contract says", (key, plainName, secureName, maxAge) => {
    const attributes = { httpOnly: true, sameSite: "lax", path: "/", ...(maxAge === undefined ? {} : { maxAge }) }

    expect(cookieSettings(false)[key]).toStrictEqual({ name: plainName, options: { ...attributes, secure: false } })
    expect(cookieSettings(true)[key]).toStrictEqual({ name: secureName, options: { ...attributes, secure: true } })
  })

  it("are these eight", () => {
    expect(Object.keys(cookieSettings(true)).sort()).toEqual(table.map(([key]) => key).sort())
  })
})

describe("config.cookies", () => {
  it("may give a name alone, which is taken without prefix", () => {
    const { sessionToken } = cookieSettings(true, { sessionToken: { name: "sid" } })

    expect(sessionToken).toEqual({
      name: "sid",
      options: { httpOnly: true, sameSite: "lax", path: "/", secure: true },
    })
  })

  it("may give single attributes, which leave the name and the others alone", () => {
    const { state } = cookieSettings(true, { state: { options: { sameSite: "none", domain: "app.example" } } })

    expect(state).toEqual({
      name: "__Secure-authjs.state",
      options: { httpOnly: true, sameSite: "none", path: "/", secure: true, maxAge: 900, domain: "app.example" },
    })
  })

  it("may replace attributes that have a default", () => {
    const { pkceCodeVerifier } = cookieSettings(false, { pkceCodeVerifier: { options: { maxAge: 60, path: "/auth" } } })

    expect(pkceCodeVerifier.options).toEqual({
      httpOnly: true,
      sameSite: "lax",
      path: "/auth",
      secure: false,
      maxAge: 60,
    })
  })

  it("changes only the cookie that it names", () => {
    const { sessionToken: _own, ...others } = cookieSettings(true, { sessionToken: { name: "sid" } })
    const { sessionToken: _default, ...defaults } = cookieSettings(true)

    expect(others).toEqual(defaults)
  })

  // An option read from an unset variable is no wish to drop the attribute: `undefined` is skipped, as in every merge.
  it.each<CookieSerializeOptions>([
    { secure: undefined },
    { httpOnly: undefined },
    { sameSite: undefined },
    { path: undefined },
  ])("leaves a default alone where it says %o", (options) => {
    expect(cookieSettings(true, { sessionToken: { options } }).sessionToken.options).toEqual({
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      secure: true,
    })
    expect(serializeCookie({ ...cookieSettings(true, { sessionToken: { options } }).sessionToken, value: "x" })).toBe(
      "__Secure-authjs.session-token=x; Path=/; HttpOnly; Secure; SameSite=Lax",
    )
  })

  it("is not written to", () => {
    const overrides = Object.freeze({
      state: Object.freeze({ name: "s", options: Object.freeze({ sameSite: "none" as const }) }),
    })

    expect(() => cookieSettings(true, overrides)).not.toThrow()
  })
})

describe("serializeCookie", () => {
  it("writes attributes in the order of the contract", () => {
    const written = serializeCookie({
      name: "n",
      value: "v",
      options: {
        sameSite: "none",
        priority: "high",
        partitioned: true,
        secure: true,
        httpOnly: true,
        expires: new Date(0),
        path: "/p",
        domain: "app.example",
        maxAge: 1,
      },
    })

    expect(written).toBe(
      "n=v; Max-Age=1; Domain=app.example; Path=/p; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; Partitioned; Priority=High; SameSite=None",
    )
  })

  it("writes the cookies that Auth.js was seen to write", () => {
    const { csrfToken, callbackUrl, pkceCodeVerifier, sessionToken } = cookieSettings(true)
    const expires = new Date(Date.UTC(2030, 0, 2, 3, 4, 5))
    const when = "Wed, 02 Jan 2030 03:04:05 GMT"

    expect(serializeCookie({ ...csrfToken, value: "aa|bb" })).toBe(
      "__Host-authjs.csrf-token=aa%7Cbb; Path=/; HttpOnly; Secure; SameSite=Lax",
    )
    expect(serializeCookie({ ...callbackUrl, value: "https://a.test" })).toBe(
      "__Secure-authjs.callback-url=https%3A%2F%2Fa.test; Path=/; HttpOnly; Secure; SameSite=Lax",
    )
    expect(
      serializeCookie({
        name: pkceCodeVerifier.name,
        value: "a.b",
        options: { ...pkceCodeVerifier.options, expires },
      }),
    ).toBe(
      `__Secure-authjs.pkce.code_verifier=a.b; Max-Age=900; Path=/; Expires=${when}; HttpOnly; Secure; SameSite=Lax`,
    )
    expect(
      serializeCookie({ name: sessionToken.name, value: "a.b", options: { ...sessionToken.options, expires } }),
    ).toBe(`__Secure-authjs.session-token=a.b; Path=/; Expires=${when}; HttpOnly; Secure; SameSite=Lax`)
  })

  it("writes no Secure on a plain address", () => {
    expect(serializeCookie({ ...cookieSettings(false).sessionToken, value: "x" })).toBe(
      "authjs.session-token=x; Path=/; HttpOnly; SameSite=Lax",
    )
  })

  it("encodes a value that would end the cookie or the header", () => {
    expect(serializeCookie({ name: "n", value: "a;b\r\nSet-Cookie: c=d", options: {} })).toBe(
      "n=a%3Bb%0D%0ASet-Cookie%3A%20c%3Dd",
    )
  })

  it.each([
    ["a name with a semicolon", "a;b", {}],
    ["a name with a line break", "a\nb", {}],
    ["an empty name", "", {}],
    ["a path that adds an attribute", "a", { path: "/; Domain=evil.example" }],
    ["a domain that adds an attribute", "a", { domain: "x; Path=/" }],
    ["a lifetime that is no whole number", "a", { maxAge: 1.5 }],
    ["an invalid date", "a", { expires: new Date(NaN) }],
  ] as const)("refuses %s", (_what, name, options) => {
    expect(() => serializeCookie({ name, value: "x", options })).toThrow(TypeError)
  })
})

describe("expireCookie", () => {
  it("keeps the attributes by which the browser finds the cookie", () => {
    const { name, options } = cookieSettings(true).pkceCodeVerifier

    expect(serializeCookie(expireCookie(name, options))).toBe(
      "__Secure-authjs.pkce.code_verifier=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
    )
  })
})

describe("parseCookies", () => {
  it.each([
    ["pairs", "a=1; b=2", { a: "1", b: "2" }],
    ["the first of two cookies of one name", "a=1; a=2", { a: "1" }],
    ["names and values without the space around them", " a = 1 ;\tb\t=\t2\t", { a: "1", b: "2" }],
    ["percent-encoded values", "a=x%7Cy", { a: "x|y" }],
    ["values whose encoding is broken as they are", "a=%E0%A4%A; b=%", { a: "%E0%A4%A", b: "%" }],
    ["quotes as part of the value", 'a="1"', { a: '"1"' }],
    ["values with an equals sign", "a=b=c", { a: "b=c" }],
    ["empty values", "a=", { a: "" }],
    ["what is no pair as nothing", "nonsense; a=1", { a: "1" }],
    ["names that objects have as plain names", "__proto__=1; constructor=2; toString=3", undefined],
  ])("reads %s", (_what, header, expected) => {
    const cookies = parseCookies(header)

    if (expected) expect({ ...cookies }).toEqual(expected)
    else {
      expect(Object.keys(cookies)).toEqual(["__proto__", "constructor", "toString"])
      expect(Object.entries(cookies).map(([, value]) => value)).toEqual(["1", "2", "3"])
    }
  })

  it.each([undefined, null, "", "x"])("reads none from %j", (header) => {
    expect({ ...parseCookies(header) }).toEqual({})
  })
})
