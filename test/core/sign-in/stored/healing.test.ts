/** Sign-ins after something broke half-way: F-07, F-30, F-46, F-48. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { MemoryAdapter } from "../../../../src/adapters/memory.js"
import { errorOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { fails, losesAnswer, once, turns } from "../../../support/stored-faults.js"
import type { Fault, MethodName, StoredOptions } from "../../../support/stored-adapter.js"
import {
  ada,
  countOf,
  expectSignedIn,
  forget,
  namesOf,
  openStoredSite,
  signInAs,
  type StoredSite,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const configurationError = "302 /auth/error?error=Configuration"
const lists = ["listAccountsByUserId", "listSessionsByUserId"] as const

/** A process that dies between the two writes of a first sign-in: neither the account nor what comes after it happens. */
async function crash(options: StoredOptions = {}, given = {}): Promise<StoredSite> {
  const site = openStoredSite({ hasCredentials: false, stored: { lacks: ["deleteUser"], ...options }, ...given })
  site.stored.faults.set("linkAccount", fails)
  expect(errorOf(await signInAs({ ...site, browser: site.elsewhere() }))).toBe(configurationError)
  expect(countOf(site.stored)).toEqual({ users: 1, accounts: 0, sessions: 0 })
  site.stored.faults.clear()
  forget(site)
  return site
}

describe("F-48: a process killed between createUser and linkAccount", () => {
  it.each(["database", "jwt"] as const)(
    "keeps nobody out: the next sign-in finishes it, under %s",
    async (strategy) => {
      const site = await crash({ extras: lists }, { strategy })
      const [orphan] = site.stored.users

      expectSignedIn(await signInAs(site))

      expect(site.stored.users).toEqual([orphan])
      expect(site.stored.accounts).toMatchObject([{ provider: "idp", providerAccountId: "ada", userId: orphan?.id }])
      expect(namesOf(site.told)).toEqual(["createUser", "linkAccount", "signIn"])
      expect(site.told[2]?.[1]).toMatchObject({ isNewUser: true })
    },
  )

  it("keeps nobody out whose provider says nothing good of the address", async () => {
    const site = await crash({ extras: lists })

    expectSignedIn(await signInAs(site, { ...ada, email: "ADA@example.com.", email_verified: false }))

    expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 1 })
  })

  it("gives what is left to no other account, not even one with the same address", async () => {
    const site = await crash({ extras: lists })

    const response = await signInAs(site, { ...ada, email_verified: true }, "other")

    expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthAccountNotLinked")
    expect(site.stored.writes()).toEqual([])
    expectSignedIn(await signInAs(site))
  })

  it("gives it to nobody once it has another account, or is signed in", async () => {
    for (const claim of ["accounts", "sessions"] as const) {
      const site = await crash({ extras: lists })
      const userId = site.stored.users[0]?.id ?? ""
      if (claim === "accounts")
        site.stored.accounts.push({ provider: "p", providerAccountId: "1", type: "oauth", userId })
      else site.stored.sessions.push({ sessionToken: "s", userId, expires: new Date(Date.now() + 60_000) })

      expect(errorOf(await signInAs(site))).toBe("302 /auth/signin?error=OAuthAccountNotLinked")
      expect(site.stored.writes()).toEqual([])
    }
  })

  it("gives nobody an account back that was unlinked", async () => {
    const site = openStoredSite({ hasCredentials: false, stored: { extras: lists } })
    await signInAs(site)
    await signInAs(site, { ...ada, sub: "7" }, "other")
    await site.stored.adapter.unlinkAccount?.({ provider: "idp", providerAccountId: "ada" })
    site.stored.sessions.length = 0
    forget(site)

    const response = await signInAs({ ...site, browser: site.another() })

    expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthAccountNotLinked")
    expect(site.stored.writes()).toEqual([])
  })

  it("keeps nobody out for long whose adapter cannot tell, when the users of a first sign-in have no address", async () => {
    const site = openStoredSite({ stored: { lacks: ["deleteUser"] } })
    site.stored.faults.set("linkAccount", once(fails))
    expect(errorOf(await signInAs(site, { sub: "ada" }))).toBe(configurationError)

    expectSignedIn(await signInAs(site, { sub: "ada" }))

    expect(countOf(site.stored)).toMatchObject({ accounts: 1 })
  })
})

describe("F-07: linkAccount that fails for a while", () => {
  it.each([
    ["a plain adapter", {}],
    ["one that lists accounts", { extras: lists }],
    ["one with ids of its own", { idFor: (given: string) => `own ${given.slice(0, 4)}` }],
  ] as const)("leaves nothing behind: %s", async (_, options) => {
    const site = openStoredSite({ stored: options })
    site.stored.faults.set("linkAccount", fails)

    for (let attempt = 0; attempt < 3; attempt++) {
      expect(errorOf(await signInAs(site))).toBe(configurationError)
      expect(countOf(site.stored)).toEqual({ users: 0, accounts: 0, sessions: 0 })
      expect(site.told).toEqual([])
    }
    site.stored.faults.clear()

    expectSignedIn(await signInAs(site))
    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 1 })
  })

  it("and deleteUser with it: two entries in the log, and the next sign-in works where lists tell", async () => {
    const site = openStoredSite({ hasCredentials: false, stored: { extras: lists } })
    site.stored.faults.set("linkAccount", fails).set("deleteUser", fails)

    expect(errorOf(await signInAs(site))).toBe(configurationError)
    expect(site.log.types()).toEqual(["AdapterError", "AdapterError"])
    site.stored.faults.clear()

    expectSignedIn(await signInAs(site))
    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 1 })
  })

  it("never deletes a user who was there before", async () => {
    const site = openStoredSite({ provider: { allowDangerousEmailAccountLinking: true } })
    await signInAs(site)
    site.stored.faults.set("linkAccount", fails)

    await signInAs(site, { sub: "new" }, "other")
    await signInAs({ ...site, browser: site.another() }, { ...ada, sub: "new" }, "other")

    expect(site.stored.called()).not.toContain("deleteUser")
    expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 1 })
  })
})

describe("F-30: one transaction for both", () => {
  it("that fails leaves nothing, and takes no other way", async () => {
    const site = openStoredSite({ stored: { extras: ["createUserWithAccount", ...lists] } })
    site.stored.faults.set("createUserWithAccount", fails)

    expect(errorOf(await signInAs(site))).toBe(configurationError)

    expect(site.stored.called()).not.toContain("createUser")
    expect(countOf(site.stored)).toEqual({ users: 0, accounts: 0, sessions: 0 })
  })

  it("that was made, though its answer is lost, is found", async () => {
    const site = openStoredSite({ stored: { extras: ["createUserWithAccount"] } })
    site.stored.faults.set("createUserWithAccount", losesAnswer)

    expectSignedIn(await signInAs(site))

    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 1 })
  })

  it("is made by the adapter's own, and not where an application has put a method of its own in place", async () => {
    const own = MemoryAdapter()
    const seen: unknown[] = []
    const linkAccount: typeof own.linkAccount = (account) => {
      seen.push(account.provider)
      return own.linkAccount(account)
    }
    const site = openStoredSite({ adapter: { ...own, linkAccount } })

    expectSignedIn(await signInAs(site))

    expect(seen).toEqual(["idp"])
    expect(await own.getUserByEmail("ada@example.com")).toMatchObject({ name: "Ada Lovelace" })
  })
})

/** Does its work only when it is let, and nobody waits for it any more. */
function heldBack(): { readonly fault: Fault; readonly let: () => void } {
  const gate: { open: () => void } = { open: () => undefined }
  const opened = new Promise<void>((resolve) => {
    gate.open = resolve
  })
  return { fault: (work) => opened.then(work), let: () => gate.open() }
}

describe("F-26: a write that arrives when nobody waits for it any more", () => {
  const adapters = [
    ["a plain adapter", {}],
    ["one that lists accounts", { extras: lists }],
    ["one that writes both at once", { extras: ["createUserWithAccount"] }],
  ] as const

  it.failing.each(adapters.slice(0, 1))("keeps nobody out: createUser of %s", expectNoLockout("createUser"))
  it.each(adapters.slice(1, 2))("keeps nobody out: createUser of %s", expectNoLockout("createUser"))
  it.each(adapters.slice(2))("keeps nobody out: createUserWithAccount of %s", expectNoLockout("createUserWithAccount"))
  it.failing.each(adapters.slice(0, 2))("keeps nobody out: linkAccount of %s", expectNoLockout("linkAccount"))
  it.each(adapters.slice(0, 1))("keeps nobody out: createSession of %s", expectNoLockout("createSession"))

  function expectNoLockout(method: MethodName) {
    return async (_: string, stored: StoredOptions): Promise<void> => {
      const site = openStoredSite({ hasCredentials: false, stored, timeouts: { adapter: 0.02 } })
      const write = heldBack()
      site.stored.faults.set(method, write.fault)
      expect(errorOf(await signInAs(site))).toBe(configurationError)
      write.let()
      await turns(3)
      site.stored.faults.clear()

      expectSignedIn(await signInAs(site))

      expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 1 })
    }
  }
})

describe("F-46: the last account unlinked while it signs in", () => {
  it("ends with a session of a user who is there, or with none", async () => {
    const site = openStoredSite()
    await signInAs(site)
    site.stored.faults.set("createSession", async (work) => {
      await site.stored.adapter.unlinkAccount?.({ provider: "idp", providerAccountId: "ada" })
      return work()
    })

    expectSignedIn(await signInAs(site))

    expect(await site.browser.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })
})
