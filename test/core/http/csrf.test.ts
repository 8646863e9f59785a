import { createHash } from "node:crypto"
import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { cookieSettings } from "../../../src/core/http/cookies.js"
import { checkCsrf, type Csrf } from "../../../src/core/http/csrf.js"

const setting = cookieSettings(true).csrfToken
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const cookieOf = (token: string, secret: string) => `${token}|${sha256(token + secret)}`

interface Given {
  readonly cookie?: string
  readonly submitted?: unknown
  readonly secrets?: readonly string[]
}

function check({ cookie, submitted, secrets = ["secret"] }: Given): Promise<Csrf> {
  return checkCsrf(cookie === undefined ? {} : { [setting.name]: cookie }, submitted, setting, secrets)
}

const token = "a".repeat(64)
const hash = "903c1490e042a075338b0e597cd889260f671063edb09ab070d2634e8277cf9c"
const joinedHash = "9484f13c9d7ad3100d58d51a22ad8ad9301a907d18d3434e585ce3202c15a098"

describe("a browser without a token", () => {
  it("gets one of 64 hexadecimal characters, with its hash in a cookie", async () => {
    const { token: made, verified, cookies } = await check({})

    expect(made).toMatch(/^[0-9a-f]{64}$/)
    expect(verified).toBe(false)
    expect(cookies).toEqual([{ ...setting, value: cookieOf(made, "secret") }])
  })

  it("gets another one each time", async () => {
    expect((await check({})).token).not.toBe((await check({})).token)
  })

  it("is not verified by whatever it submits", async () => {
    expect((await check({ submitted: token })).verified).toBe(false)
    expect((await check({ submitted: "" })).verified).toBe(false)
    expect((await check({ submitted: undefined })).verified).toBe(false)
  })

  it("gets a token that verifies the next time", async () => {
    const { token: made, cookies } = await check({})

    expect(await check({ cookie: cookies[0]?.value, submitted: made })).toEqual({
      token: made,
      verified: true,
      cookies: [],
    })
  })
})

describe("a browser with a token of Auth.js", () => {
  it("keeps it", async () => {
    expect(await check({ cookie: `${token}|${hash}`, submitted: token })).toEqual({
      token,
      verified: true,
      cookies: [],
    })
  })

  it("keeps one that was hashed with the joined list of secrets", async () => {
    const cookie = `${token}|${joinedHash}`

    expect(await check({ cookie, submitted: token, secrets: ["s1", "s2"] })).toEqual({
      token,
      verified: true,
      cookies: [],
    })
    expect((await check({ cookie, submitted: token, secrets: ["s2", "s1"] })).verified).toBe(false)
    expect((await check({ cookie, submitted: token, secrets: ["s1"] })).verified).toBe(false)
  })
})

describe("rotation of secrets", () => {
  const issuedUnderOld = cookieOf(token, "old")

  it("keeps tokens of an older secret while that is listed", async () => {
    expect(await check({ cookie: issuedUnderOld, submitted: token, secrets: ["new", "old"] })).toEqual({
      token,
      verified: true,
      cookies: [],
    })
  })

  it("refuses them afterwards, and gives the browser a new one", async () => {
    const after = await check({ cookie: issuedUnderOld, submitted: token, secrets: ["new"] })

    expect(after.verified).toBe(false)
    expect(after.token).not.toBe(token)
    expect(after.cookies).toEqual([{ ...setting, value: cookieOf(after.token, "new") }])
  })

  it("makes new tokens with the newest secret", async () => {
    const { token: made, cookies } = await check({ secrets: ["new", "old"] })

    expect(cookies[0]?.value).toBe(cookieOf(made, "new"))
  })
})

describe("what is submitted", () => {
  const cookie = `${token}|${hash}`

  it.each<readonly [string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["an empty text", ""],
    ["one character", "x"],
    ["the token with its last character changed", `${token.slice(0, -1)}b`],
    ["the token with its first character changed", `b${token.slice(1)}`],
    ["the token cut short", token.slice(0, -1)],
    ["the token made longer", `${token}a`],
    ["the token in capitals", token.toUpperCase()],
    ["the token with a space", ` ${token}`],
    ["three parts", "a|b|c"],
    ["the whole cookie", cookie],
    ["the hash", hash],
    ["100 KB of it", "a".repeat(100_000)],
    ["the token twice, as of two fields of one name", [token, token]],
    ["the token in a list, as of a field named csrfToken[]", [token]],
    ["the token in an object", { 0: token }],
    ["an object that reads like the token", { toString: () => token }],
    ["true", true],
  ])("is refused when it is %s, and the browser keeps its token", async (_what, submitted) => {
    expect(await check({ cookie, submitted })).toEqual({ token, verified: false, cookies: [] })
  })

  it("is refused unless it is the token, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.anything()), async (submitted) => {
        fc.pre(submitted !== token)
        expect((await check({ cookie, submitted })).verified).toBe(false)
      }),
      { numRuns: 60 },
    )
  })
})

describe("a cookie", () => {
  it.each([
    ["has no hash", token],
    ["has an empty hash", `${token}|`],
    ["has a hash of zeros", `${token}|${"0".repeat(64)}`],
    ["has the hash of another token", `${"b".repeat(64)}|${hash}`],
    ["was made with another secret", cookieOf(token, "another")],
    ["was made with the empty secret", cookieOf(token, "")],
    ["has a token of one character", cookieOf("x", "secret")],
    ["has an empty token", cookieOf("", "secret")],
    ["has a token of 63 characters", cookieOf("a".repeat(63), "secret")],
    ["has a token of 65 characters", cookieOf("a".repeat(65), "secret")],
    ["has a token that is not hexadecimal", cookieOf("g".repeat(64), "secret")],
    ["has a token in capitals", cookieOf("A".repeat(64), "secret")],
    ["has three parts", `${token}|${hash}|c`],
    ["has a line break at its end", `${token}|${hash}\n`],
    ["has its hash in capitals", `${token}|${hash.toUpperCase()}`],
    ["is empty", ""],
    ["is 100 KB long", "a".repeat(100_000)],
  ])("that %s counts as none", async (_what, cookie) => {
    const [submitted] = cookie.split("|")

    const { token: made, verified, cookies } = await check({ cookie, submitted })

    expect(verified).toBe(false)
    expect(made).not.toBe(submitted)
    expect(cookies).toEqual([{ ...setting, value: cookieOf(made, "secret") }])
  })

  it("of the plain name does not count where the secure one is expected", async () => {
    const { name } = cookieSettings(false).csrfToken

    expect((await checkCsrf({ [name]: `${token}|${hash}` }, token, setting, ["secret"])).verified).toBe(false)
  })
})
