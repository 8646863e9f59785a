/** What a sign-in with an adapter asks and tells the application: wire contract, sections 5.5, 7.3 to 7.5. */
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { CallbacksOptions } from "../../../../src/core/index.js"
import { locationOf } from "../../../support/core-browser.js"
import { freezeClock, nowInSeconds, releaseClock } from "../../../support/core-clock.js"
import { accessToken, clientId, refreshToken } from "../../../../src/testing/faulty-provider.js"
import { nextTurn } from "../../../support/stored-faults.js"
import {
  ada,
  countOf,
  expectSignedIn,
  forget,
  grace,
  namesOf,
  openStoredSite,
  proveAddresses,
  signInAs,
  type Strategy,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const strategies: readonly Strategy[] = ["database", "jwt"]

const fullAccount = () => ({
  provider: "idp",
  providerAccountId: "ada",
  type: "oidc",
  access_token: accessToken,
  refresh_token: refreshToken,
  id_token: expect.any(String),
  token_type: "bearer",
  scope: "openid profile email",
  expires_in: 3600,
  expires_at: nowInSeconds() + 3600,
})
const profile = () => ({
  ...ada,
  iss: "https://idp.example",
  aud: clientId,
  iat: nowInSeconds(),
  exp: nowInSeconds() + 300,
  nonce: expect.any(String),
})

describe.each(strategies)("events, under %s", (strategy) => {
  it("of a sign-up: createUser, linkAccount, signIn", async () => {
    const site = openStoredSite({ strategy })

    await signInAs(site)

    const [user] = site.stored.users
    const { expires_in: _, ...kept } = fullAccount()
    expect(site.told).toEqual([
      ["createUser", { user }],
      ["linkAccount", { user, account: kept, profile: { ...ada, sub: undefined, id: expect.any(String) } }],
      ["signIn", { user, account: fullAccount(), profile: profile(), isNewUser: true }],
    ])
  })

  it("of a sign-in: signIn, with the stored user", async () => {
    const site = openStoredSite({ strategy })
    await signInAs(site)
    forget(site)

    await signInAs(site, { ...ada, name: "Another Name" })

    const signedIn = { user: site.stored.users[0], account: fullAccount(), isNewUser: false }
    expect(site.told).toEqual([["signIn", { ...signedIn, profile: { ...profile(), name: "Another Name" } }]])
    expect(site.stored.users).toMatchObject([{ name: "Ada Lovelace" }])
  })

  it("of a link while signed in: linkAccount, signIn, both with whoever is signed in", async () => {
    const site = openStoredSite({ strategy })
    await signInAs(site)
    forget(site)

    await signInAs(site, grace, "other")

    const [user] = site.stored.users
    expect(site.told).toMatchObject([
      ["linkAccount", { user, account: { provider: "other" }, profile: { email: "grace@example.com" } }],
      ["signIn", { user, account: { provider: "other" }, profile: { sub: "grace" }, isNewUser: false }],
    ])
    expect((site.told[0]?.[1] as { account: { userId?: string } }).account.userId).toBeUndefined()
  })

  it("of a link by address: linkAccount, signIn, and no createUser for a user who was there", async () => {
    const site = openStoredSite({ strategy, provider: { allowDangerousEmailAccountLinking: true } })
    await signInAs(site)
    proveAddresses(site)
    forget(site)

    await signInAs({ ...site, browser: site.another() }, ada, "other")

    expect(namesOf(site.told)).toEqual(["linkAccount", "signIn"])
    expect(site.told[1]?.[1]).toMatchObject({ user: site.stored.users[0], isNewUser: false })
  })

  it("of a refusal: none", async () => {
    const site = openStoredSite({ strategy })
    await signInAs(site)
    forget(site)

    await signInAs({ ...site, browser: site.another() }, ada, "other")

    expect(site.told).toEqual([])
  })

  it("that throw or reject are logged, and change nothing", async () => {
    const site = openStoredSite({
      strategy,
      events: {
        createUser: () => {
          throw new Error("analytics are down")
        },
        linkAccount: () => Promise.reject(new Error("analytics are down")),
      },
    })

    expectSignedIn(await signInAs(site))

    expect(site.log.types()).toEqual(["EventError", "EventError"])
  })

  it("are called unbound, and waited for", async () => {
    const order: unknown[] = []
    const site = openStoredSite({
      strategy,
      events: {
        async createUser(this: unknown) {
          await nextTurn()
          order.push(this, "createUser")
        },
        signIn: () => void order.push("signIn"),
      },
    })

    await signInAs(site)

    expect(order).toEqual([undefined, "createUser", "signIn"])
  })
})

describe("F-51: an event handler that never answers", () => {
  it("does not keep the person from ever signing in again", async () => {
    const site = openStoredSite({
      events: { createUser: () => new Promise(() => undefined) },
    })
    void signInAs({ ...site, browser: site.another() })
    while (site.stored.accounts.length === 0) await nextTurn()

    expectSignedIn(await signInAs(site))
  })
})

type SignInCallback = NonNullable<CallbacksOptions["signIn"]>
type JwtCallback = NonNullable<CallbacksOptions["jwt"]>

describe.each(strategies)("the signIn callback, under %s", (strategy) => {
  it("gets the person as the provider gave them, when the account is new", async () => {
    const allow = jest.fn<SignInCallback>(() => true)
    const site = openStoredSite({ strategy, callbacks: { signIn: allow } })

    await signInAs(site)

    const user = { id: expect.any(String), name: "Ada Lovelace", email: "ada@example.com" }
    expect(allow.mock.calls).toEqual([[{ user, account: fullAccount(), profile: profile() }]])
  })

  it("gets the stored user, when the account is known", async () => {
    const allow = jest.fn<SignInCallback>(() => true)
    const site = openStoredSite({ strategy, callbacks: { signIn: allow } })
    await signInAs(site)
    Object.assign(site.stored.users[0] ?? {}, { role: "admin", name: "Countess" })

    await signInAs(site, ada)

    const user = site.stored.users[0]
    expect(user).toMatchObject({ role: "admin", name: "Countess", emailVerified: null })
    expect(allow.mock.calls[1]).toEqual([{ user, account: fullAccount(), profile: profile() }])
  })

  it("gets the owner of the account, not whoever is signed in", async () => {
    const allow = jest.fn<SignInCallback>(() => true)
    const site = openStoredSite({ strategy, callbacks: { signIn: allow } })
    await signInAs(site, grace)
    await signInAs({ ...site, browser: site.another() }, ada)

    await signInAs(site, ada)

    expect(allow.mock.lastCall?.[0].user).toMatchObject({ email: "ada@example.com" })
  })

  it("gets a new user under the id that createUser will get", async () => {
    const allow = jest.fn<SignInCallback>(() => true)
    const site = openStoredSite({ strategy, callbacks: { signIn: allow } })

    await signInAs(site)

    expect(allow.mock.calls[0]?.[0].user.id).toBe(site.stored.users[0]?.id)
  })

  it("gets an account of which the provider cannot say whose it is", async () => {
    const allow = jest.fn<SignInCallback>(() => true)
    const site = openStoredSite({ strategy, callbacks: { signIn: allow } })
    site.idps.idp.faults = { token: (body) => ({ ...body, userId: "evil" }) }

    await signInAs(site)

    expect(allow.mock.calls[0]?.[0].account?.userId).toBeUndefined()
  })
})

describe("the jwt callback, with an adapter", () => {
  it("is told of a sign-up, then of sign-ins, with the stored user and their id", async () => {
    const jwt = jest.fn<JwtCallback>(({ token }) => token)
    const site = openStoredSite({ strategy: "jwt", callbacks: { jwt }, stored: { idFor: () => "own 1" } })

    await signInAs(site)
    await signInAs(site)

    const [user] = site.stored.users
    const token = { name: "Ada Lovelace", email: "ada@example.com", picture: undefined, sub: "own 1" }
    const shared = { token, user, account: fullAccount(), profile: profile() }
    expect(jwt.mock.calls).toEqual([
      [{ ...shared, isNewUser: true, trigger: "signUp" }],
      // Whether the session that the sign-in was started in is still one.
      [{ token: expect.objectContaining({ sub: "own 1" }) }],
      [{ ...shared, isNewUser: false, trigger: "signIn" }],
    ])
  })

  it("links nothing to somebody whose session it has ended", async () => {
    const ended = new Set<unknown>()
    const jwt: JwtCallback = ({ token, user }) => (user || !ended.has(token.sub) ? token : null)
    const site = openStoredSite({ strategy: "jwt", callbacks: { jwt } })
    await signInAs(site)
    ended.add(site.stored.users[0]?.id)

    await signInAs(site, grace, "other")

    expect(countOf(site.stored)).toMatchObject({ users: 2, accounts: 2 })
  })

  it("gets the user that the account was linked to", async () => {
    const jwt = jest.fn<JwtCallback>(({ token }) => token)
    const site = openStoredSite({ strategy: "jwt", callbacks: { jwt } })
    await signInAs(site)

    await signInAs(site, grace, "other")

    const subject = site.stored.users[0]?.id
    expect(jwt.mock.lastCall?.[0]).toMatchObject({ token: { sub: subject }, user: { id: subject }, trigger: "signIn" })
  })

  it("A-076: that throws or returns null signs nobody in, though the user stays", async () => {
    const answers = [
      () => null,
      () => {
        throw new Error("no")
      },
    ]
    for (const jwt of answers) {
      const site = openStoredSite({ strategy: "jwt", callbacks: { jwt } })
      await signInAs(site)
      expect(await site.browser.session()).toBeNull()
      expect(site.stored.users).toHaveLength(1)
    }
  })
})

describe.each(strategies)("the page for new users, under %s", (strategy) => {
  it("is where a sign-up ends, and no other sign-in", async () => {
    const site = openStoredSite({ strategy, pages: { newUser: "/welcome" } })

    const first = await signInAs(site)
    expect(locationOf(first)).toBe("https://app.example/welcome?callbackUrl=https%3A%2F%2Fapp.example%2Faccount")

    expectSignedIn(await signInAs(site))
    expectSignedIn(await signInAs(site, grace, "other"))
  })
})
