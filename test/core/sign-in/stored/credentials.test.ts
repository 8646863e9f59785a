/** Credentials with an adapter: under `database` whoever is let in is a stored user, under `jwt` nothing is stored. */
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { EventCallbacks } from "../../../../src/core/index.js"
import type { User } from "../../../../src/core/types.js"
import { errorOf, type Browser } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import {
  ada,
  countOf,
  expectSignedIn,
  forget,
  namesOf,
  openStoredSite,
  sessionCookie,
  signInAs,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

function enter(browser: Browser, name = "ann"): Promise<Response> {
  return browser.submit("callback/credentials", { name, callbackUrl: "/account" })
}

describe("credentials with database sessions", () => {
  it("create the user once, and start a session that is a record", async () => {
    const site = openStoredSite()

    expectSignedIn(await enter(site.browser))
    expectSignedIn(await enter(site.browser))

    expect(site.stored.called()).toEqual([
      ...["getUser", "getUserByEmail", "createUser", "createSession"],
      ...["getUser", "createSession", "deleteSession"],
    ])
    expect(site.stored.users).toEqual([
      { id: "42", name: "ann", email: "ann@example.com", image: null, emailVerified: null },
    ])
    expect(site.stored.sessions).toMatchObject([{ sessionToken: site.browser.jar.get(sessionCookie), userId: "42" }])
    expect(await site.browser.session()).toMatchObject({ user: { name: "ann", email: "ann@example.com" } })
    expect(namesOf(site.told)).toEqual(["createUser", "signIn", "signIn"])
  })

  it("A-033: replace the session that the browser had", async () => {
    const site = openStoredSite()
    await enter(site.browser)
    const thief = site.another()
    thief.jar.set(sessionCookie, site.browser.jar.get(sessionCookie) ?? "")

    await enter(site.browser)

    expect(await thief.session()).toBeNull()
    expect(site.stored.sessions).toHaveLength(1)
  })

  it("end the session of whoever was signed in at that browser before, without linking anything", async () => {
    const site = openStoredSite()
    await signInAs(site)
    forget(site)

    expectSignedIn(await enter(site.browser))

    expect(site.stored.called()).not.toContain("linkAccount")
    expect(site.stored.sessions).toMatchObject([{ userId: "42" }])
  })

  it("are refused where another user has the address, and nothing is written", async () => {
    const site = openStoredSite({ authorize: () => ({ id: "42", email: "ADA@example.com" }) })
    await signInAs({ ...site, browser: site.another() }, ada)
    forget(site)

    const response = await enter(site.browser)

    expect(errorOf(response)).toBe("302 /auth/signin?error=AccountNotLinked")
    expect(site.stored.writes()).toEqual([])
    expect(await site.browser.session()).toBeNull()
    expect(site.log.types()).toEqual(["AccountNotLinked"])
  })

  it("sign in the stored user that authorize returned, whatever their address has become", async () => {
    const people: { current: User | undefined } = { current: undefined }
    const site = openStoredSite({ authorize: () => people.current ?? null })
    await signInAs({ ...site, browser: site.another() }, ada)
    people.current = { ...site.stored.users[0], email: "new@example.com" }

    expectSignedIn(await enter(site.browser))

    expect(await site.browser.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(countOf(site.stored)).toMatchObject({ users: 1 })
  })

  it("take ids that are numbers", async () => {
    const site = openStoredSite({ authorize: () => ({ id: 7 as never, email: "ann@example.com" }) })

    expectSignedIn(await enter(site.browser))
    expectSignedIn(await enter(site.browser))

    expect(site.stored.users.map(({ id }) => id)).toEqual(["7"])
    expect(await site.browser.session()).not.toBeNull()
  })

  it("need an id, as each sign-in would be somebody new without one", async () => {
    const site = openStoredSite({ authorize: () => ({ name: "ann" }) })

    expect(errorOf(await enter(site.browser))).toContain("error=Configuration")

    expect(countOf(site.stored)).toEqual({ users: 0, accounts: 0, sessions: 0 })
    expect(site.log.text()).toContain("authorize must return a user with an id")
  })

  it("fail where the store gives users ids of its own, and leave nothing", async () => {
    const site = openStoredSite({ stored: { idFor: () => "own" } })

    const response = await enter(site.browser)

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(countOf(site.stored)).toEqual({ users: 0, accounts: 0, sessions: 0 })
    expect(site.log.types()).toEqual(["AdapterError"])
    expect(site.log.errors[0]?.message).toContain("authorize")
  })

  it("tell the signIn event of the user as authorize returned them, with the stored id", async () => {
    const announced = jest.fn<NonNullable<EventCallbacks["signIn"]>>()
    const site = openStoredSite({ events: { signIn: announced } })

    await enter(site.browser)

    const user = { id: "42", name: "ann", email: "ann@example.com", image: null }
    const account = { provider: "credentials", type: "credentials", providerAccountId: "42" }
    expect(announced.mock.calls).toEqual([[{ user, account }]])
  })

  it("write nothing for whom authorize refuses", async () => {
    const site = openStoredSite({ authorize: () => null })

    expect(errorOf(await enter(site.browser))).toMatch(/CredentialsSignin/)

    expect(site.stored.calls).toEqual([])
  })
})

describe("credentials with tokens and an adapter", () => {
  it("never touch the adapter", async () => {
    const site = openStoredSite({ strategy: "jwt" })

    expectSignedIn(await enter(site.browser))
    expectSignedIn(await enter(site.browser))

    expect(site.stored.calls).toEqual([])
    expect(await site.browser.session()).toMatchObject({ user: { name: "ann" } })
  })
})

describe("a user with a password who has unlinked their only account", () => {
  it("does not get it back, whoever signs in with it", async () => {
    const known: { id: string | undefined } = { id: undefined }
    const site = openStoredSite({
      stored: { extras: ["listAccountsByUserId", "listSessionsByUserId"] },
      authorize: () => (known.id === undefined ? null : { id: known.id, email: "ada@example.com" }),
    })
    await signInAs(site, ada)
    known.id = site.stored.users[0]?.id
    await site.stored.adapter.unlinkAccount?.({ provider: "idp", providerAccountId: "ada" })
    expectSignedIn(await enter(site.browser))
    await site.browser.submit("signout")
    const thief = site.another()

    const response = await signInAs({ ...site, browser: thief }, ada)

    expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthAccountNotLinked")
    expect(await thief.session()).toBeNull()
  })
})
