/** Linking an account while signed in, and everything that must not count as that. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { errorOf, locationOf } from "../../../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../../../support/core-clock.js"
import {
  ada,
  begin,
  countOf,
  expectSignedIn,
  forget,
  grace,
  openStoredSite,
  ownerOf,
  sessionCookie,
  signInAs,
  type StoredSite,
  type Strategy,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const eve = { sub: "eve", name: "Eve", email: "eve@example.com" }

/** E-mail address of whoever is signed in. */
async function whoIsAt(browser: StoredSite["browser"]): Promise<unknown> {
  const session = (await browser.session()) as { readonly user: { readonly email: string } } | null
  return session && session.user.email
}

describe.each<Strategy>(["database", "jwt"])("signed in, under %s", (strategy) => {
  const open = () => openStoredSite({ strategy })

  it("a new account is linked to the user whose session started the sign-in", async () => {
    const site = open()
    await signInAs(site)

    expectSignedIn(await signInAs(site, grace, "other"))

    expect(ownerOf(site, "other", "grace")).toBe("ada@example.com")
    expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 2 })
    expect(await whoIsAt(site.browser)).toBe("ada@example.com")
    const another = site.another()
    await signInAs({ ...site, browser: another }, grace, "other")
    expect(await whoIsAt(another)).toBe("ada@example.com")
  })

  it("the address of the new account does not matter, though another user has it", async () => {
    const site = open()
    await signInAs({ ...site, browser: site.another() }, grace)
    await signInAs(site, ada)

    expectSignedIn(await signInAs(site, { ...eve, email: "grace@example.com" }, "other"))

    expect(ownerOf(site, "other", "eve")).toBe("ada@example.com")
  })

  it("A-065: the account of another user is refused; the session stays, and nothing is written", async () => {
    const site = open()
    await signInAs({ ...site, browser: site.another() }, grace)
    await signInAs(site, ada)
    const cookie = site.browser.jar.get(sessionCookie)
    forget(site)

    const response = await signInAs(site, grace)

    expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthAccountNotLinked")
    expect(site.stored.writes()).toEqual([])
    expect(site.browser.jar.get(sessionCookie)).toBe(cookie)
    expect(await whoIsAt(site.browser)).toBe("ada@example.com")
    expect(site.log.types()).toEqual(["OAuthAccountNotLinked"])
  })

  it("A-078: the same account again is the same user, without a second account", async () => {
    const site = open()
    await signInAs(site)

    expectSignedIn(await signInAs(site))

    expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 1 })
    expect(await whoIsAt(site.browser)).toBe("ada@example.com")
  })

  describe("A-066: a sign-in links nothing that was", () => {
    it("started signed out, when another tab has signed in meanwhile", async () => {
      const site = open()
      const callback = await begin(site, grace, "other")
      await signInAs(site, ada)

      expectSignedIn(await site.browser.get(callback))

      expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
      expect(await whoIsAt(site.browser)).toBe("grace@example.com")
    })

    it("started as one user, when another has signed in meanwhile", async () => {
      const site = open()
      await signInAs(site, ada)
      const callback = await begin(site, grace, "other")
      site.browser.jar.forget(/session-token/)
      await signInAs(site, eve)

      expectSignedIn(await site.browser.get(callback))

      expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
      expect(countOf(site.stored)).toMatchObject({ users: 3, accounts: 3 })
      expect(await whoIsAt(site.browser)).toBe("grace@example.com")
    })

    it("started as a user who has signed out meanwhile", async () => {
      const site = open()
      await signInAs(site, ada)
      const callback = await begin(site, grace, "other")
      await site.browser.submit("signout")
      expect(await whoIsAt(site.browser)).toBeNull()

      expectSignedIn(await site.browser.get(callback))

      expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
    })

    it("started and finished signed out", async () => {
      const site = open()
      await signInAs(site, ada)
      site.browser.jar.forget(/session-token/)

      expectSignedIn(await signInAs(site, grace, "other"))

      expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
    })
  })

  it("A-071: a session that somebody else planted meanwhile gets nothing", async () => {
    const site = open()
    const attacker = site.another()
    await signInAs({ ...site, browser: attacker }, eve)
    const callback = await begin(site, grace, "other")
    site.browser.jar.set(sessionCookie, attacker.jar.get(sessionCookie) ?? "")

    expectSignedIn(await site.browser.get(callback))

    expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
    expect(await whoIsAt(site.browser)).toBe("grace@example.com")
  })

  it("F-46: a user who was deleted meanwhile gets nothing", async () => {
    const site = open()
    await signInAs(site, ada)
    const callback = await begin(site, grace, "other")
    await site.stored.adapter.deleteUser?.(site.stored.users[0]?.id ?? "")

    expectSignedIn(await site.browser.get(callback))

    expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
    expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 1 })
  })

  it("A-038: a session that has expired gets nothing", async () => {
    const site = open()
    await signInAs(site, ada)
    const expired = site.browser.jar.get(sessionCookie) ?? ""
    advanceClock(30 * 24 * 60 * 60 + 60)
    site.browser.jar.set(sessionCookie, expired)

    expectSignedIn(await signInAs(site, grace, "other"))

    expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
    expect(site.stored.sessions.map(({ sessionToken }) => sessionToken)).not.toContain(expired)
  })

  it("A-038: a session that expires while the provider asks who it is gets nothing", async () => {
    const site = open()
    await signInAs(site, ada)
    const cookie = site.browser.jar.get(sessionCookie) ?? ""
    advanceClock(30 * 24 * 60 * 60 - 60)
    const callback = await begin(site, grace, "other")
    advanceClock(120)
    site.browser.jar.set(sessionCookie, cookie)

    expectSignedIn(await site.browser.get(callback))

    expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
  })

  it("a flow that replaces one of Auth.js links nothing: nobody has started it", async () => {
    const site = open()
    await signInAs(site, ada)
    const callback = await begin(site, grace, "other")
    // Those of Auth.js bear the plain names.
    for (const name of site.browser.jar.names().filter((each) => /\.(?:state|code_verifier|nonce)\./.test(each))) {
      site.browser.jar.set(name.slice(0, name.lastIndexOf(".")), site.browser.jar.get(name) ?? "")
    }
    site.browser.jar.forget(/\.(?:state|code_verifier|nonce)\./)
    const restarted = locationOf(await site.browser.get(callback))
    expect(restarted).toMatch(/^https:\/\/other\.example\/authorize/)

    expectSignedIn(await site.browser.get(site.idps.other.approve(restarted).href))

    expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
  })

  it("whom the credentials provider let in gets the account as well, where they are stored", async () => {
    const site = open()
    site.stored.users.push({ id: "42", email: "ann@example.com", emailVerified: null })
    await site.browser.submit("callback/credentials", { name: "ann" })

    expectSignedIn(await signInAs(site, grace, "other"))

    expect(ownerOf(site, "other", "grace")).toBe("ann@example.com")
  })
})

describe("under jwt", () => {
  it("whom the store does not know gets nothing, and can sign in", async () => {
    const site = openStoredSite({ strategy: "jwt" })
    await site.browser.submit("callback/credentials", { name: "ann" })

    expectSignedIn(await signInAs(site, grace, "other"))

    expect(site.stored.called()).toContain("getUser")
    expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
  })

  it("a token that was issued anew meanwhile is the same session", async () => {
    const site = openStoredSite({ strategy: "jwt" })
    await signInAs(site, ada)
    const callback = await begin(site, grace, "other")
    const before = site.browser.jar.get(sessionCookie)
    advanceClock(60)
    await site.browser.get("session")
    expect(site.browser.jar.get(sessionCookie)).not.toBe(before)

    expectSignedIn(await site.browser.get(callback))

    expect(ownerOf(site, "other", "grace")).toBe("ada@example.com")
  })
})

describe("under database", () => {
  it("a session that another sign-in has replaced meanwhile gets nothing, even of the same user", async () => {
    const site = openStoredSite()
    await signInAs(site, ada)
    const callback = await begin(site, grace, "other")
    await signInAs(site, ada)

    expectSignedIn(await site.browser.get(callback))

    expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
  })

  it("A-033: a copy of the old cookie is worth nothing after a sign-in, a link and a plain login", async () => {
    const site = openStoredSite()
    const thief = site.another()
    for (const [person, provider] of [
      [ada, "idp"],
      [grace, "other"],
      [ada, "idp"],
    ] as const) {
      await signInAs(site, ada)
      thief.jar.set(sessionCookie, site.browser.jar.get(sessionCookie) ?? "")
      expect(await thief.session()).not.toBeNull()

      expectSignedIn(await signInAs(site, person, provider))

      expect(await thief.session()).toBeNull()
      expect(site.stored.sessions).toHaveLength(1)
    }
  })

  it("F-46: nobody gets a session who is deleted while they sign in", async () => {
    const site = openStoredSite()
    await signInAs(site)
    site.stored.faults.set("createSession", async (work) => {
      await site.stored.adapter.deleteUser?.(site.stored.users[0]?.id ?? "")
      return work()
    })

    await signInAs(site)

    expect(await site.browser.session()).toBeNull()
  })
})
