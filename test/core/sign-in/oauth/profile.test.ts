import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { CallbacksOptions } from "../../../../src/core/index.js"
import type { Profile, TokenSet, User } from "../../../../src/core/types.js"
import type { OAuth2Config } from "../../../../src/providers/kinds.js"
import { errorOf } from "../../../support/core-browser.js"
import { freezeClock, nowInSeconds, releaseClock } from "../../../support/core-clock.js"
import { expectNoSession, oauthAt, oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import { accessToken, refreshToken } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type SignInCallback = NonNullable<CallbacksOptions["signIn"]>

/** Signs in, and tells what the signIn callback got to see. */
async function seen(given: Partial<OAuth2Config>, person?: object, faults = {}) {
  const allow = jest.fn<SignInCallback>(() => true)
  const site = openSite((idp) => oauthAt(idp, given), { callbacks: { signIn: allow } })
  if (person) site.idp.person = { ...person }
  site.idp.faults = faults
  const response = await signIn(site)
  return { ...site, response, allow, params: allow.mock.calls[0]?.[0] }
}

describe("the default profile", () => {
  it.each([
    [
      { sub: "s", id: "i", name: "n", nickname: "k", email: "E@X.com", picture: "p" },
      { name: "n", email: "e@x.com", image: "p" },
      "s",
    ],
    [{ id: "i", nickname: "k", preferred_username: "u" }, { name: "k" }, "i"],
    [{ sub: "s", preferred_username: "u", picture: { url: "p" } }, { name: "u" }, "s"],
    [{ sub: "s", name: null, email: null }, { name: undefined, email: undefined }, "s"],
  ])("of %j", async (person, user, id) => {
    const { params } = await seen({}, person)

    expect(params?.user).toMatchObject(JSON.parse(JSON.stringify(user)) as object)
    expect(params?.account?.providerAccountId).toBe(id)
    expect(params?.profile).toEqual(person)
  })
})

describe("profile()", () => {
  const map = (profile: Profile, tokens: TokenSet): User => ({
    id: `id-${profile.sub}`,
    name: tokens.access_token,
    email: "ADA@EXAMPLE.COM",
    image: null,
  })

  it.each([
    ["a user", map],
    ["a promise of a user", async (...given: [Profile, TokenSet]) => map(...given)],
  ])("may return %s", async (_, profile) => {
    const { params, browser } = await seen({ profile })

    expect(params?.user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: accessToken,
      email: "ada@example.com",
      image: null,
    })
    expect(params?.account?.providerAccountId).toBe("id-ada")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  it("gets the profile and the tokens, with the moment at which they expire", async () => {
    const profile = jest.fn(map)
    await seen({ profile })

    expect(profile.mock.calls).toEqual([
      [
        { sub: "ada", name: "Ada Lovelace", email: "Ada@Example.com", picture: "https://idp.example/ada.png" },
        expect.objectContaining({
          access_token: accessToken,
          refresh_token: refreshToken,
          token_type: "bearer",
          expires_in: 3600,
          expires_at: nowInSeconds() + 3600,
          scope: "openid profile email",
        }),
      ],
    ])
  })

  it("is called on its provider", async () => {
    const { params } = await seen({
      profile(this: OAuth2Config, { sub }: Profile) {
        return { id: `${this.id}:${sub}` }
      },
    })

    expect(params?.account?.providerAccountId).toBe("idp:ada")
  })

  it("may be laid over the vendor's by options", async () => {
    const { params } = await seen({ profile: () => ({ id: "vendor" }), options: { profile: () => ({ id: "own" }) } })

    expect(params?.account?.providerAccountId).toBe("own")
  })

  it.each([
    ["throws", () => Promise.reject(new Error("no such field"))],
    ["returns no id", () => ({ name: "x" })],
    ["returns half a character for an id", () => ({ id: "\ud800" })],
  ])("that %s leads back to the sign-in page", async (_, profile) => {
    const { response, browser, log } = await seen({ profile })

    expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthCallbackError")
    expect(log.types()).toEqual(["OAuthProfileParseError"])
    expect(log.errors[0]?.cause).toMatchObject({ provider: "idp" })
    await expectNoSession(browser, response)
  })

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["text", "ada"],
    ["an e-mail that is no text", { id: "1", email: 7 }],
  ])("that returns %s is an error, not a crash", async (_, result) => {
    const { response, browser, log } = await seen({ profile: () => result as User })

    expect(new URL(response.headers.get("location") ?? "").searchParams.get("error")).toMatch(
      /^(?:Configuration|OAuthCallbackError)$/,
    )
    expect(log.errors).toHaveLength(1)
    await expectNoSession(browser, response)
  })
})

describe("A-056: the id of an account", () => {
  it.each([
    [7, "7"],
    [0, "0"],
    [-7, "-7"],
    ["7", "7"],
    ["a/b c", "a/b c"],
    [9007199254740991, "9007199254740991"],
  ])("is the text of %j", async (id, expected) => {
    const { params } = await seen({ profile: () => ({ id: id as string }) })

    expect(params?.account?.providerAccountId).toBe(expected)
  })

  it.each([
    ["missing", undefined],
    ["null", null],
    ["empty", ""],
    ["the word undefined", "undefined"],
    ["the word null", "null"],
    ["what an object becomes as text", "[object Object]"],
    ["an object", { id: 1 }],
    ["a list", ["1"]],
    ["true", true],
    ["a fraction", 1.5],
    ["a number that is not exact", 9007199254740993],
    ["no number", NaN],
  ])("is refused when it is %s", async (_, id) => {
    const { response, browser, allow } = await seen({ profile: () => ({ id: id as string }) })

    expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthCallbackError")
    expect(allow).not.toHaveBeenCalled()
    await expectNoSession(browser, response)
  })

  it("is never the id of the user, which is another one at each sign-in", async () => {
    const allow = jest.fn<SignInCallback>(() => true)
    const site = openSite(oidcAt, { callbacks: { signIn: allow } })

    await signIn(site)
    await signIn(site)

    const [one, other] = allow.mock.calls.map(([{ user }]) => user.id)
    expect(one).not.toBe("ada")
    expect(one).not.toBe(other)
  })
})

describe("the account", () => {
  it("has every field of the token response", async () => {
    const { params } = await seen({}, undefined, {
      token: (body: object) => ({ ...body, session_state: "s", custom: { a: 1 }, not_before: 0 }),
    })

    expect(params?.account).toMatchObject({ session_state: "s", custom: { a: 1 }, not_before: 0 })
  })

  it("has no lifetime where the provider told none", async () => {
    const { params } = await seen({}, undefined, {
      token: ({ access_token, token_type }: Record<string, unknown>) => ({ access_token, token_type }),
    })

    expect(JSON.parse(JSON.stringify(params?.account))).toEqual({
      access_token: accessToken,
      token_type: "bearer",
      provider: "idp",
      type: "oauth",
      providerAccountId: "ada",
    })
  })

  it.each([["3600"], ["3600.0"], [3600]])("counts the lifetime from now, given as %j", async (expires_in) => {
    const { params } = await seen({}, undefined, { token: (body: object) => ({ ...body, expires_in }) })

    expect(params?.account).toMatchObject({ expires_in: 3600, expires_at: nowInSeconds() + 3600 })
  })

  it.each(["BEARER", "bearer", "Bearer", "DPoP"])("has its token type in lower case: %s", async (token_type) => {
    const { params } = await seen({}, undefined, { token: (body: object) => ({ ...body, token_type }) })

    expect(params?.account?.token_type).toBe(token_type.toLowerCase())
  })

  it("keeps the provider's name whatever the token response says", async () => {
    const { params } = await seen({}, undefined, {
      token: (body: object) => ({ ...body, provider: "other", type: "credentials", providerAccountId: "root" }),
    })

    expect(params?.account).toMatchObject({ provider: "idp", type: "oauth", providerAccountId: "ada" })
  })
})

describe("the token of a session", () => {
  it("holds no more than the name, the address, the picture and the id", async () => {
    const { browser } = await seen({
      profile: () => ({ id: "1", name: "Ada", email: "a@x.com", image: "i", role: "x" }),
    })

    expect(await browser.session()).toEqual({
      user: { name: "Ada", email: "a@x.com", image: "i" },
      expires: "2026-03-31T12:00:00.000Z",
    })
  })
})

describe("an OpenID provider with idToken: false", () => {
  it("is asked for the profile, and the claims of userinfo count", async () => {
    const site = openSite((idp) => oidcAt(idp, { idToken: false }))
    site.idp.faults = { userinfo: (claims) => ({ ...claims, name: "By userinfo" }) }

    await signIn(site)

    expect(site.idp.count("userinfo")).toBe(1)
    expect(site.idp.last("userinfo").headers.get("authorization")).toBe(`Bearer ${accessToken}`)
    expect(await site.browser.session()).toMatchObject({ user: { name: "By userinfo" } })
  })
})
