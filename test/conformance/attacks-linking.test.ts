/**
 * Linking, planted sessions, and answers of callbacks, by the numbers of the attack matrix: what the tests of each part do
 * not show already. `rows.ts` says where the others are.
 */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { CallbacksOptions } from "../../src/core/index.js"
import { FaultyProvider, type Faults } from "../../src/testing/faulty-provider.js"
import { locationOf } from "../support/core-browser.js"
import { freezeClock, releaseClock } from "../support/core-clock.js"
import { expectNoSession, expectRefused, oidcAt, openSite, signIn } from "../support/core-flow.js"
import {
  ada,
  begin,
  countOf,
  expectSignedIn,
  forget,
  grace,
  namesOf,
  openStoredSite,
  ownerOf,
  sessionCookie,
  signInAs,
  type Strategy,
} from "../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

/**
 * The matrix asks for an intent to link. Ours is that the flow was started by a form, with its CSRF token, in the very
 * session that is live when it ends: whoever is signed in and signs in with another account means to add it.
 */
describe.each<Strategy>(["database", "jwt"])(
  "A-067: a new account of somebody who is signed in, under %s",
  (strategy) => {
    it("is linked when they started it themselves, and the application is told", async () => {
      const site = openStoredSite({ strategy })
      await signInAs(site, ada)
      const before = site.browser.jar.get(sessionCookie)
      forget(site)

      expectSignedIn(await signInAs(site, grace, "other"))

      expect(ownerOf(site, "other", "grace")).toBe("ada@example.com")
      expect(namesOf(site.told)).toEqual(["linkAccount", "signIn"])
      expect(site.browser.jar.get(sessionCookie)).not.toBe(before)
    })

    it("is not linked by a sign-in that another site tries to start", async () => {
      const site = openStoredSite({ strategy })
      await signInAs(site, ada)

      const response = await site.browser.post("signin/other", {}, { origin: "https://evil.example" })

      expect(locationOf(response)).toContain("error=MissingCSRF")
      expect(site.browser.jar.names().filter((name) => name.includes("state"))).toEqual([])
    })

    it("is not linked by the answer to a flow that somebody else has started", async () => {
      const site = openStoredSite({ strategy })
      await signInAs(site, ada)
      const callback = await begin({ ...site, browser: site.another() }, grace, "other")

      await site.browser.get(callback)

      expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 1 })
    })

    it("is not linked by a flow that replaces a lost one: nobody has started that", async () => {
      const site = openStoredSite({ strategy })
      await signInAs(site, ada)
      const callback = await begin(site, grace, "other")
      const session = site.browser.jar.get(sessionCookie) ?? ""
      site.browser.jar.forget(/./)
      const restarted = locationOf(await site.browser.get(callback))
      site.browser.jar.set(sessionCookie, session)

      expectSignedIn(await site.browser.get(site.idps.other.approve(restarted).href))

      expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
    })

    it("is linked to nobody when its user is gone", async () => {
      const site = openStoredSite({ strategy })
      await signInAs(site, ada)
      const callback = await begin(site, grace, "other")
      site.stored.users.length = 0

      expectSignedIn(await site.browser.get(callback))

      expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
    })
  },
)

describe("A-074: an issuer for many tenants", () => {
  const authority = "https://login.microsoftonline.com"
  const tenant = "11111111-2222-3333-4444-555555555555"
  const open = (tid: unknown, iss = `${authority}/${String(tid)}/v2.0`) => {
    const idp = new FaultyProvider(`${authority}/common/v2.0`)
    const faults: Faults = {
      discovery: (document) => ({ ...document, issuer: `${authority}/{tenantid}/v2.0` }),
      claims: (claims) => ({ ...claims, iss, tid }),
    }
    idp.faults = faults
    return openSite(oidcAt, {}, {}, idp)
  }

  it("signs in whoever is of one of them", async () => {
    const site = open(tenant)

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
  })

  it.each([
    ["climbs", "../evil"],
    ["has a path", "x/.."],
    ["is a word", "contoso"],
    ["is the template", "{tenantid}"],
    ["is missing", undefined],
    ["is a number", 7],
    ["goes on after the id", `${tenant}/../evil`],
  ])("signs in nobody whose tenant %s", async (_, tid) => {
    const site = open(tid)

    await expectRefused(site.browser, await signIn(site))
  })

  it("signs in nobody whose issuer is of another tenant", async () => {
    const site = open(tenant, `${authority}/99999999-2222-3333-4444-555555555555/v2.0`)

    await expectRefused(site.browser, await signIn(site))
  })
})

describe("A-076: the jwt callback at a sign-in with a provider", () => {
  it("that answers null signs nobody in", async () => {
    const site = openSite(oidcAt, { callbacks: { jwt: () => null } })

    await expectNoSession(site.browser, await signIn(site))
  })

  it.each<[string, unknown]>([
    ["a list", []],
    ["a text", "ada"],
    ["a number", 7],
    ["true", true],
  ])("that answers %s makes a session that says nothing of anybody", async (_, answer) => {
    const jwt = (() => answer) as NonNullable<CallbacksOptions["jwt"]>
    const site = openSite(oidcAt, { callbacks: { jwt } })

    await signIn(site)

    expect(JSON.parse(JSON.stringify(await site.browser.session()))).toEqual({ user: {}, expires: expect.any(String) })
  })

  it("may take its time", async () => {
    const jwt: CallbacksOptions["jwt"] = async ({ token }) => {
      for (let turn = 0; turn < 100; turn++) await Promise.resolve()
      return { ...token, name: "Late" }
    }
    const site = openSite(oidcAt, { callbacks: { jwt } })

    await signIn(site)

    expect(await site.browser.session()).toMatchObject({ user: { name: "Late" } })
  })
})
