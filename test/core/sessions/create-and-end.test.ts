import { describe, expect, it } from "@jest/globals"
import { SignOutError } from "../../../src/core/errors.js"
import type { NewSession } from "../../../src/core/sessions/strategy.js"
import { at, cookiesAfter, isoAfter, issuedClaims, maxAge, sessionCookie, setting, setUp, start } from "./setup.js"

const account = { provider: "idp", providerAccountId: "1", type: "oidc", access_token: "at" } as const
const user = { id: "1", name: "Ann", email: "ann@x.example", image: "https://x.example/a.png" }
const claims = { name: "Ann", email: "ann@x.example", picture: "https://x.example/a.png", sub: "1" }
const expired = (name: string) => ({ name, value: "", options: { ...setting.options, maxAge: 0 } })

describe("a new session", () => {
  it("is a cookie with the standard claims that expires with the session", async () => {
    const given = setUp()

    const cookies = await given.sessions.create(at({}), { user, account })

    expect(cookies).toEqual([
      {
        name: setting.name,
        value: expect.any(String),
        options: { ...setting.options, expires: new Date((start + maxAge) * 1000) },
      },
    ])
    expect(await issuedClaims(given, cookies)).toEqual({
      ...claims,
      iat: start,
      exp: start + maxAge,
      jti: expect.any(String),
    })
  })

  it("is read back as the session of that person", async () => {
    const given = setUp()
    const cookies = cookiesAfter(await given.sessions.create(at({}), { user, account }))

    expect(await given.sessions.read(at(cookies), { kind: "visit" })).toMatchObject({
      session: {
        user: { name: "Ann", email: "ann@x.example", image: "https://x.example/a.png" },
        expires: isoAfter(maxAge),
      },
    })
  })

  it.each<readonly [Partial<NewSession>, Readonly<Record<string, unknown>>]>([
    [{}, { trigger: "signIn" }],
    [{ isNewUser: false }, { trigger: "signIn", isNewUser: false }],
    [{ isNewUser: true }, { trigger: "signUp", isNewUser: true }],
    [
      { isNewUser: true, profile: { sub: "1", hd: "x.example" } },
      { trigger: "signUp", isNewUser: true, profile: { sub: "1", hd: "x.example" } },
    ],
  ])("with %j gives the jwt callback what the contract says", async (facts, expected) => {
    const calls: unknown[] = []
    const given = setUp({
      callbacks: {
        jwt: (params) => {
          calls.push(structuredClone(params))
          return { ...params.token, role: "admin" }
        },
      },
    })

    const cookies = await given.sessions.create(at({}), { user, account, ...facts })

    expect(calls).toEqual([{ token: claims, user, account, ...expected }])
    expect(await issuedClaims(given, cookies)).toMatchObject({ ...claims, role: "admin" })
  })

  it("is none when the jwt callback returns null, and what was there is expired", async () => {
    const given = setUp({ callbacks: { jwt: () => null } })

    expect(await given.sessions.create(at({}), { user, account })).toEqual([])
    expect(await given.sessions.create(at({ [setting.name]: "old" }), { user, account })).toEqual([
      expired(setting.name),
    ])
  })

  it("fails with what the jwt callback throws", async () => {
    const given = setUp({ callbacks: { jwt: () => Promise.reject(new Error("database is down")) } })

    await expect(given.sessions.create(at({}), { user, account })).rejects.toThrow("database is down")
  })

  it("replaces the one before, however many cookies that had", async () => {
    const given = setUp()
    const before = { [`${setting.name}.0`]: "a", [`${setting.name}.1`]: "b", other: "x" }

    const after = cookiesAfter(await given.sessions.create(at(before), { user, account }), before)

    expect(Object.keys(after).sort()).toEqual([setting.name, "other"].sort())
  })

  it("fails when the token is longer than cookies can hold", async () => {
    const given = setUp({ callbacks: { jwt: ({ token }) => ({ ...token, bulk: "x".repeat(60_000) }) } })

    await expect(given.sessions.create(at({}), { user, account })).rejects.toBeInstanceOf(RangeError)
  })
})

describe("ending a session", () => {
  it("expires its cookies and tells whose it was", async () => {
    const given = setUp()

    const ended = await given.sessions.end(at({ ...(await sessionCookie(given, claims)), other: "x" }))

    expect(ended).toEqual({
      cookies: [expired(setting.name)],
      event: { token: { ...claims, iat: start, exp: start + maxAge, jti: expect.any(String) } },
    })
  })

  it("does nothing where there is none", async () => {
    const given = setUp()

    expect(await given.sessions.end(at({ other: "x" }))).toEqual({ cookies: [] })
    expect(given.logger.errors).toEqual([])
  })

  it.each<readonly [string, (given: ReturnType<typeof setUp>) => Promise<string>]>([
    ["cannot be opened", () => Promise.resolve("x")],
    ["has expired", (given) => given.keys.seal(claims, setting.name, start - maxAge - 16, maxAge)],
  ])("expires the cookie even when it %s, and logs why", async (_what, make) => {
    const given = setUp()

    const ended = await given.sessions.end(at({ [setting.name]: await make(given) }))

    expect(ended).toEqual({ cookies: [expired(setting.name)] })
    expect(given.logger.errors).toEqual([expect.any(SignOutError)])
  })

  it("expires every chunk", async () => {
    const given = setUp()
    const [token = ""] = Object.values(await sessionCookie(given, claims)).map(String)
    const cookies = { [`${setting.name}.0`]: token.slice(0, 100), [`${setting.name}.1`]: token.slice(100) }

    const ended = await given.sessions.end(at(cookies))

    expect(ended.cookies).toEqual([expired(`${setting.name}.0`), expired(`${setting.name}.1`)])
    expect(ended.event).toMatchObject({ token: { sub: "1" } })
  })

  it("asks no callback", async () => {
    const calls: unknown[] = []
    const given = setUp({
      callbacks: {
        jwt: ({ token }) => {
          calls.push(token)
          return token
        },
      },
    })
    await given.sessions.end(at(await sessionCookie(given)))

    expect(calls).toEqual([])
  })
})
