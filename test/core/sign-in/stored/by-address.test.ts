/** Two accounts with one e-mail address. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { errorOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { expectNoSession } from "../../../support/core-flow.js"
import {
  ada,
  countOf,
  expectSignedIn,
  forget,
  openStoredSite,
  ownerOf,
  proveAddresses,
  signInAs,
  type StoredSite,
  type StoredSiteOptions,
  type Strategy,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const opened = { provider: { allowDangerousEmailAccountLinking: true } } as const

/** A site where Ada, whose address is proved, has signed in once, and another browser. */
async function siteOfAda(options: StoredSiteOptions = {}): Promise<StoredSite> {
  const site = openStoredSite(options)
  await signInAs(site)
  proveAddresses(site)
  forget(site)
  return { ...site, browser: site.another() }
}

async function expectNotLinked(site: StoredSite, response: Response): Promise<void> {
  expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthAccountNotLinked")
  expect(site.stored.writes()).toEqual([])
  expect(site.told).toEqual([])
  expect(site.log.types()).toEqual(["OAuthAccountNotLinked"])
  expect(site.log.errors[0]?.cause).toEqual({ provider: "other" })
  expect(site.log.text()).not.toMatch(/ada@/i)
  await expectNoSession(site.browser, response)
}

/** The same address, written otherwise. */
const spellings = [
  ["the same", "ada@example.com"],
  ["capitals", "ADA@EXAMPLE.COM"],
  ["a final dot", "ada@example.com."],
  ["a full-width letter", "\uff41da@example.com"],
  ["a full-width full stop", "ada@example\uff0ecom"],
  ["an ideographic full stop", "ada@example\u3002com"],
  ["a soft hyphen", "ada@exam\u00adple.com"],
] as const

describe.each<Strategy>(["database", "jwt"])("A-062: the address of a user, under %s", (strategy) => {
  it.each(spellings)("does not open their account to another provider: %s", async (_, email) => {
    const site = await siteOfAda({ strategy })

    await expectNotLinked(site, await signInAs(site, { sub: "eve", email, email_verified: true }, "other"))
  })
})

describe("A-063: where an application trusts addresses", () => {
  it.each([
    ["true", true],
    ['"true"', "true"],
    ["1", 1],
    ["nothing", undefined],
  ])("another account is linked when the provider says %s of it", async (_, email_verified) => {
    const site = await siteOfAda(opened)

    expectSignedIn(await signInAs(site, { ...ada, sub: "7", email_verified }, "other"))

    expect(ownerOf(site, "other", "7")).toBe("ada@example.com")
    expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 2 })
  })

  it.each([false, "false", 0, null, "", "no"])("none is when it says %j", async (email_verified) => {
    const site = await siteOfAda(opened)

    await expectNotLinked(site, await signInAs(site, { ...ada, sub: "7", email_verified }, "other"))
  })

  it.each(spellings.slice(2))("none is when the address only looks the same: %s", async (_, email) => {
    const site = await siteOfAda(opened)

    await expectNotLinked(site, await signInAs(site, { sub: "eve", email, email_verified: true }, "other"))
  })

  /** Somebody has registered with Ada's address, who never had to prove it. */
  async function siteOfEve(options: StoredSiteOptions = {}): Promise<StoredSite> {
    const site = openStoredSite({ ...opened, hasCredentials: false, ...options })
    await signInAs(site)
    forget(site)
    return { ...site, browser: site.another() }
  }
  const hasLists: StoredSiteOptions = { stored: { extras: ["listAccountsByUserId"] } }

  it("none is to a user who came by the address at a provider that is not trusted", async () => {
    const site = await siteOfEve(hasLists)
    for (const account of site.stored.accounts) account.provider = "asks-nobody"

    await expectNotLinked(site, await signInAs(site, { ...ada, sub: "7", email_verified: true }, "other"))
  })

  it("none is to a user who may have registered with a password", async () => {
    const site = await siteOfEve({ hasCredentials: true })

    await expectNotLinked(site, await signInAs(site, { ...ada, sub: "7", email_verified: true }, "other"))
  })

  it("one is to a user who came from providers alone that are trusted as well", async () => {
    const site = await siteOfEve(hasLists)

    expectSignedIn(await signInAs(site, { ...ada, sub: "7", email_verified: true }, "other"))
  })

  it("one is where the store cannot tell how the user came by the address, as the contract has it", async () => {
    const site = await siteOfEve()

    expectSignedIn(await signInAs(site, { ...ada, sub: "7", email_verified: true }, "other"))
  })

  it.each(["verified_email", "is_email_verified", "emailVerified", "xms_edov"])(
    "none is when the provider says it as %s",
    async (claim) => {
      const site = await siteOfAda(opened)

      await expectNotLinked(site, await signInAs(site, { ...ada, sub: "7", [claim]: false }, "other"))
    },
  )

  it("one with other capitals is", async () => {
    const site = await siteOfAda(opened)

    expectSignedIn(await signInAs(site, { sub: "7", email: "Ada@EXAMPLE.com" }, "other"))

    expect(ownerOf(site, "other", "7")).toBe("ada@example.com")
  })

  it("by the claim of the provider, whatever profile() makes of it", async () => {
    const profile = ({ sub, email }: { readonly sub?: string | null; readonly email?: string | null }) => ({
      id: sub ?? undefined,
      email,
      email_verified: true,
    })
    const site = await siteOfAda({ provider: { ...opened.provider, profile } })

    await expectNotLinked(site, await signInAs(site, { ...ada, sub: "7", email_verified: false }, "other"))
  })

  it("only the provider that is trusted links", async () => {
    const site = await siteOfAda({ provider: { allowDangerousEmailAccountLinking: false } })

    await expectNotLinked(site, await signInAs(site, { ...ada, sub: "7", email_verified: true }, "other"))
  })

  it.each(["true", 1, {}])("only `true` is consent: %j", async (allowDangerousEmailAccountLinking) => {
    const site = await siteOfAda({ provider: { allowDangerousEmailAccountLinking } as never })

    await expectNotLinked(site, await signInAs(site, { ...ada, sub: "7", email_verified: true }, "other"))
  })

  it("an account that was linked so is that user's from then on, whatever its address becomes", async () => {
    const site = await siteOfAda(opened)
    await signInAs(site, { ...ada, sub: "7" }, "other")
    const another = site.another()

    expectSignedIn(await signInAs({ ...site, browser: another }, { sub: "7", email: "new@example.com" }, "other"))

    expect(await another.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })
})

describe("F-24: a store that comes with somebody else for an address", () => {
  it("links nothing, even where addresses are trusted", async () => {
    const site = await siteOfAda(opened)
    const [user] = site.stored.users
    site.stored.faults.set("getUserByEmail", async () => user)

    const response = await signInAs(site, { sub: "eve", email: "eve@example.com" }, "other")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.stored.writes()).toEqual([])
    await expectNoSession(site.browser, response)
  })
})

describe("A-070: an address in the store", () => {
  it.each([
    ["capitals", "ADA@Example.COM", "ada@example.com"],
    ["a ligature", "\ufb00@example.com", "ff@example.com"],
    ["a domain beyond ASCII", "ada@b\u00fccher.example", "ada@xn--bcher-kva.example"],
    ["an ideographic full stop", "ada@example\u3002com", "ada@example.com"],
  ])("has one form, for looking up and for writing: %s", async (_, email, expected) => {
    const site = openStoredSite()

    expectSignedIn(await signInAs(site, { sub: "1", email }))

    expect(site.stored.calls.filter(([name]) => name === "getUserByEmail")).toEqual([["getUserByEmail", expected]])
    expect(site.stored.users.map((user) => user.email)).toEqual([expected])
  })

  it("has the same form whichever kind of provider it came by", async () => {
    const { byName } = await import("../../../support/core-people.js")
    const site = openStoredSite({
      providers: [byName(() => ({ id: "42", email: "ADA@b\u00fccher.example" }))],
    })

    expect((await site.browser.submit("callback/credentials", { name: "ada" })).status).toBe(302)

    expect(site.stored.users.map((user) => user.email)).toEqual(["ada@xn--bcher-kva.example"])
  })
})
