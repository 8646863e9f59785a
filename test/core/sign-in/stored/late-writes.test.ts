/** Writes that a slow database makes when nobody waits for them any more: F-26. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { errorOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import type { Fault, MethodName, StoredOptions } from "../../../support/stored-adapter.js"
import { fails, turns } from "../../../support/stored-faults.js"
import {
  ada,
  countOf,
  expectSignedIn,
  openStoredSite,
  ownerOf,
  signInAs,
  type StoredSite,
  type StoredSiteOptions,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const configurationError = "302 /auth/error?error=Configuration"
const lists = ["listAccountsByUserId", "listSessionsByUserId"] as const

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

  it.each(adapters.slice(0, 2))("keeps nobody out: createUser of %s", expectNoLockout("createUser"))
  it.each(adapters.slice(2))("keeps nobody out: createUserWithAccount of %s", expectNoLockout("createUserWithAccount"))
  it.each(adapters.slice(0, 2))("keeps nobody out: linkAccount of %s", expectNoLockout("linkAccount"))
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

describe("F-26: a late write is undone, unless somebody needs it", () => {
  /** A first sign-in that failed because of a write that is still to come. */
  async function waitFor(method: MethodName, options: StoredSiteOptions = {}) {
    const site = openStoredSite({ hasCredentials: false, timeouts: { adapter: 0.02 }, ...options })
    const write = heldBack()
    site.stored.faults.set(method, write.fault)
    expect(errorOf(await signInAs(site))).toBe(configurationError)
    site.stored.faults.clear()
    const arrive = async (): Promise<StoredSite> => {
      write.let()
      await turns(5)
      return site
    }
    return { site, arrive }
  }

  it.each(["createUser", "linkAccount"] as const)("it leaves nothing behind: %s", async (method) => {
    const { arrive } = await waitFor(method)

    const { stored, log } = await arrive()

    expect(countOf(stored)).toEqual({ users: 0, accounts: 0, sessions: 0 })
    expect(log.types()).toEqual(["AdapterError"])
  })

  it("the user stays who has proved their address meanwhile, say by e-mail", async () => {
    const { site, arrive } = await waitFor("createUser")
    site.stored.faults.set("getUser", async (work) => ({ ...((await work()) as object), emailVerified: new Date(0) }))

    await arrive()

    expect(countOf(site.stored)).toMatchObject({ users: 1 })
  })

  it("the user stays who has another account", async () => {
    const { site, arrive } = await waitFor("createUser", { stored: { extras: lists } })
    site.stored.faults.set("listAccountsByUserId", async () => [
      { provider: "p", providerAccountId: "1", type: "oauth", userId: "1" },
    ])

    await arrive()

    expect(countOf(site.stored)).toMatchObject({ users: 1 })
  })

  it.each<[string, StoredSiteOptions]>([
    [
      "somebody may have linked another account by its address",
      { provider: { allowDangerousEmailAccountLinking: true } },
    ],
    ["somebody may have a password", { hasCredentials: true }],
  ])("the user stays where the store cannot tell and %s", async (_, options) => {
    const { arrive } = await waitFor("createUser", options)

    const { stored } = await arrive()

    expect(countOf(stored)).toMatchObject({ users: 1 })
  })

  it("the account stays that a later sign-in has", async () => {
    const { site, arrive } = await waitFor("linkAccount", { stored: { unique: false } })
    expectSignedIn(await signInAs(site))

    await arrive()

    expect(ownerOf(site, "idp", "ada")).toBe("ada@example.com")
    expectSignedIn(await signInAs({ ...site, browser: site.another() }, ada))
    expect(countOf(site.stored)).toMatchObject({ users: 1 })
  })

  it("what cannot be undone is logged, and harms nobody else", async () => {
    const { site, arrive } = await waitFor("createUser")
    site.stored.faults.set("deleteUser", fails)

    await arrive()

    expect(site.log.types()).toEqual(["AdapterError", "AdapterError"])
    expect(countOf(site.stored)).toMatchObject({ users: 1 })
  })

  it("a write that fails late is no other error", async () => {
    const site = openStoredSite({ hasCredentials: false, timeouts: { adapter: 0.02 } })
    const write = heldBack()
    site.stored.faults.set("createUser", (work) => write.fault(async () => fails(work)))
    await signInAs(site)

    write.let()
    await turns(5)

    expect(site.log.types()).toEqual(["AdapterError"])
  })
})
