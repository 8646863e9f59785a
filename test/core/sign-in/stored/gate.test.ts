/** The application's say comes before anything is written, and a profile cannot say what is not its business. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { OAuthAccountNotLinked } from "../../../../src/core/errors.js"
import type { AuthConfig } from "../../../../src/core/index.js"
import { locationOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { expectNoSession } from "../../../support/core-flow.js"
import {
  ada,
  countOf,
  expectSignedIn,
  forget,
  grace,
  openStoredSite,
  sessionCookie,
  signInAs,
  type StoredSite,
  type Strategy,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const noes: readonly (readonly [name: string, answer: () => unknown, to: string])[] = [
  ["false", () => false, "/auth/error?error=AccessDenied"],
  ["nothing", () => undefined, "/auth/error?error=AccessDenied"],
  ["an empty text", () => "", "/auth/error?error=AccessDenied"],
  ["a promise of false", async () => false, "/auth/error?error=AccessDenied"],
  ["a rejection", () => Promise.reject(new Error("blocked")), "/auth/error?error=AccessDenied"],
  ["an AuthError", () => Promise.reject(new OAuthAccountNotLinked()), "/auth/signin?error=OAuthAccountNotLinked"],
  ["an address", () => "/denied", "/denied"],
  ["a foreign address", () => "https://evil.example", ""],
]

type Visit = readonly [who: string, arrive: (site: StoredSite) => Promise<Response>]

const visits: readonly Visit[] = [
  [
    "somebody new",
    (site) => signInAs({ ...site, browser: site.another() }, { ...ada, sub: "new", email: "new@x.example" }),
  ],
  ["a user", (site) => signInAs({ ...site, browser: site.another() }, ada)],
  ["a user who links an account", (site) => signInAs(site, grace, "other")],
  ["a user who is signed in already", (site) => signInAs(site, ada)],
  ["credentials", (site) => site.another().submit("callback/credentials", { name: "ann" })],
]

describe.each<Strategy>(["database", "jwt"])("A-060: a no of the signIn callback, under %s", (strategy) => {
  describe.each(visits)("to %s", (_, arrive) => {
    it.each(noes)("by %s: nothing is written, and nobody signed in", async (_name, answer, to) => {
      const say: { answer: () => unknown } = { answer: () => true }
      const callbacks = { signIn: () => say.answer() } as AuthConfig["callbacks"]
      const site = openStoredSite({
        strategy,
        callbacks,
        stored: { extras: ["updateAccount", "createUserWithAccount"] },
      })
      await signInAs(site, ada)
      const [cookie, before] = [site.browser.jar.get(sessionCookie), countOf(site.stored)]
      forget(site)
      say.answer = answer

      const response = await arrive(site)

      expect(locationOf(response)).toBe(`https://app.example${to}`)
      expect(site.stored.writes()).toEqual([])
      expect([countOf(site.stored), site.told]).toEqual([before, []])
      expect(response.headers.getSetCookie().filter((line) => line.startsWith(sessionCookie))).toEqual([])
      expect(site.browser.jar.get(sessionCookie)).toBe(cookie)
    })
  })
})

describe("A-061: what profile() returns", () => {
  const hostile = JSON.parse(
    '{"id":"1","email":"ada@example.com","emailVerified":"2020-01-01","role":"x","__proto__":{"admin":true},"constructor":7}',
  ) as Readonly<Record<string, unknown>>

  it.each([false, true])(
    "never says the id or that the address was proved, nor changes a prototype (%j)",
    async (atOnce) => {
      const site = openStoredSite({
        provider: { profile: () => hostile },
        stored: { extras: atOnce ? ["createUserWithAccount"] : [] },
      })

      expectSignedIn(await signInAs(site))

      const [user] = site.stored.users
      expect(user?.id).not.toBe("1")
      expect(user?.emailVerified).toBeNull()
      expect(Object.getPrototypeOf(user)).toBe(Object.prototype)
      expect((user as { admin?: unknown } | undefined)?.admin).toBeUndefined()
      expect(({} as { admin?: unknown }).admin).toBeUndefined()
    },
  )

  it("passes on what the contract lets pass", async () => {
    const site = openStoredSite({ provider: { profile: () => ({ id: "1", email: "a@x.example", locale: "en" }) } })

    await signInAs(site)

    expect(site.stored.users).toMatchObject([{ email: "a@x.example", locale: "en" }])
  })
})

describe("whoever is refused by the store", () => {
  it("is told to sign in as before, in JSON with 409 for programs", async () => {
    const site = openStoredSite()
    await signInAs(site)
    const browser = site.another()
    site.idps.other.person = { ...ada, sub: "eve" }
    const callback = site.idps.other.approve(await browser.start("other")).href

    const response = await browser.get(callback, { accept: "application/json" })

    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ error: "OAuthAccountNotLinked" })
    await expectNoSession(browser, response)
  })
})
