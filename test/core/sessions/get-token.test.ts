import { beforeAll, describe, expect, it } from "@jest/globals"
import { encode, type JWTDecodeParams } from "../../../src/core/crypto/jwt.js"
import { MissingSecretError } from "../../../src/core/errors.js"
import { getToken, type GetTokenParams } from "../../../src/core/sessions/get-token.js"

const secret = "secret"
const plainName = "authjs.session-token"
const secureName = "__Secure-authjs.session-token"

type RequestHeaders = GetTokenParams["req"]["headers"]

/** The same headers, as each kind of request has them. */
const kinds: readonly (readonly [string, (headers: Readonly<Record<string, string>>) => RequestHeaders])[] = [
  ["Headers", (headers) => new Headers(headers)],
  ["a plain record", (headers) => headers],
  ["the headers of a Request", (headers) => new Request("https://app.example", { headers }).headers],
]

const tokens = { plain: "", secure: "" }
beforeAll(async () => {
  tokens.plain = await encode({ token: { sub: "42" }, secret, salt: plainName })
  tokens.secure = await encode({ token: { sub: "43" }, secret, salt: secureName })
})

const get = (headers: RequestHeaders, params: Partial<GetTokenParams> = {}) =>
  getToken({ req: { headers }, secret, ...params })
const getRaw = (headers: RequestHeaders, params: Partial<GetTokenParams> = {}) =>
  getToken({ req: { headers }, ...params, raw: true })

describe.each(kinds)("getToken with %s", (_kind, make) => {
  it("finds the session token in the cookie", async () => {
    expect(await get(make({ cookie: `a=b; ${plainName}=${tokens.plain}` }))).toMatchObject({ sub: "42" })
    expect(await getRaw(make({ cookie: `${plainName}=${tokens.plain}` }))).toBe(tokens.plain)
  })

  it("finds the cookie of a secure address when that is asked for", async () => {
    const headers = make({ cookie: `${plainName}=${tokens.plain}; ${secureName}=${tokens.secure}` })

    expect(await get(headers, { secureCookie: true })).toMatchObject({ sub: "43" })
    expect(await get(headers)).toMatchObject({ sub: "42" })
  })

  it("puts chunks together", async () => {
    const cookie = `${plainName}.1=${tokens.plain.slice(100)}; ${plainName}.0=${tokens.plain.slice(0, 100)}`

    expect(await get(make({ cookie }))).toMatchObject({ sub: "42" })
    expect(await getRaw(make({ cookie }))).toBe(tokens.plain)
  })

  it("finds the token of an Authorization header", async () => {
    expect(await get(make({ authorization: `Bearer ${tokens.plain}` }))).toMatchObject({ sub: "42" })
    expect(await getRaw(make({ authorization: "Bearer a%7Cb" }))).toBe("a|b")
  })

  it("prefers the cookie", async () => {
    expect(await getRaw(make({ cookie: `${plainName}=mine`, authorization: "Bearer other" }))).toBe("mine")
  })

  it.each([
    ["no headers", {}],
    ["no session cookie", { cookie: "a=b" }],
    ["an empty session cookie", { cookie: `${plainName}=` }],
    ["a cookie that only begins with the name", { cookie: `${plainName}-other=x` }],
    ["chunks that do not start at 0", { cookie: `${plainName}.1=x` }],
    ["the scheme alone", { authorization: "Bearer" }],
    ["the scheme and a space", { authorization: "Bearer " }],
    ["another scheme", { authorization: "Basic x" }],
    ["the scheme in lower case", { authorization: "bearer x" }],
    ["the scheme with another letter", { authorization: "Bearers x" }],
    ["malformed percent-encoding", { authorization: "Bearer %" }],
    ["malformed percent-encoding of UTF-8", { authorization: "Bearer %E0%A4%A" }],
  ])("gives null for %s, raw or not", async (_what, headers) => {
    expect(await get(make(headers))).toBeNull()
    expect(await getRaw(make(headers))).toBeNull()
  })

  it.each([
    ["rubbish", "x"],
    ["percent-encoded rubbish", "%E0%A4%A"],
    ["a hundred dots", ".".repeat(100)],
  ])("gives null for %s in the cookie", async (_what, value) => {
    expect(await get(make({ cookie: `${plainName}=${value}` }))).toBeNull()
  })

  it("gives null for two Authorization values", async () => {
    expect(await get(make({ authorization: `Bearer ${tokens.plain}, Bearer ${tokens.plain}` }))).toBeNull()
  })
})

describe("getToken with the headers of Node", () => {
  it("takes lists of values", async () => {
    expect(await get({ cookie: ["a=b", `${plainName}=${tokens.plain}`] })).toMatchObject({ sub: "42" })
    expect(await get({ authorization: [`Bearer ${tokens.plain}`] })).toMatchObject({ sub: "42" })
    expect(await get({ cookie: [], authorization: undefined })).toBeNull()
  })

  // RFC 9110, section 5.1: names of header fields are case-insensitive. Some platforms hand them over as they came.
  it("takes names in any case", async () => {
    expect(await get({ Cookie: `${plainName}=${tokens.plain}` })).toMatchObject({ sub: "42" })
    expect(await get({ Authorization: `Bearer ${tokens.plain}` })).toMatchObject({ sub: "42" })
  })
})

describe("getToken", () => {
  const headers = () => ({ cookie: `${plainName}=${tokens.plain}` })

  it("throws without a request", async () => {
    await expect(getToken({ secret } as unknown as GetTokenParams)).rejects.toThrow(Error)
  })

  it.each([undefined, "", []])("throws MissingSecret with %j as secret, when there is a token", async (none) => {
    await expect(get(headers(), { secret: none })).rejects.toBeInstanceOf(MissingSecretError)
    await expect(get(headers(), { secret: none })).rejects.toMatchObject({ type: "MissingSecret" })
    expect(await get({}, { secret: none })).toBeNull()
  })

  it("needs no secret for the raw token", async () => {
    expect(await getRaw(headers())).toBe(tokens.plain)
  })

  it.each<readonly [string, Partial<GetTokenParams>]>([
    ["another secret", { secret: "another" }],
    ["another salt", { salt: "another" }],
    ["a decode that throws", { decode: () => Promise.reject(new Error("no")) }],
    ["a decode that finds nothing", { decode: () => null }],
  ])("gives null with %s", async (_what, params) => {
    expect(await get(headers(), params)).toBeNull()
  })

  it("tries every secret of a list", async () => {
    expect(await get(headers(), { secret: ["new", secret] })).toMatchObject({ sub: "42" })
  })

  it("takes the name of the cookie as salt, unless a salt is given", async () => {
    const own = await encode({ token: { sub: "1" }, secret, salt: "sid" })
    const salted = await encode({ token: { sub: "2" }, secret, salt: "pepper" })

    expect(await get({ cookie: `sid=${own}` }, { cookieName: "sid" })).toMatchObject({ sub: "1" })
    expect(await get({ cookie: `sid=${salted}` }, { cookieName: "sid", salt: "pepper" })).toMatchObject({ sub: "2" })
    expect(await get({ cookie: `sid=${salted}` }, { cookieName: "sid" })).toBeNull()
  })

  it("hands token, secret and salt to a decode of one's own", async () => {
    const calls: JWTDecodeParams[] = []
    const decode = (params: JWTDecodeParams) => {
      calls.push(params)
      return { sub: "mine" }
    }

    expect(await get(headers(), { decode })).toEqual({ sub: "mine" })
    expect(calls).toEqual([{ token: tokens.plain, secret, salt: plainName }])
  })

  it("does not decode a raw token", async () => {
    const decode = () => Promise.reject(new Error("must not be called"))

    expect(await getRaw(headers(), { decode, secret })).toBe(tokens.plain)
  })
})
