/** Sign-ins at the same time, in one process and in two that share a store: F-02, F-08, F-41, A-068, A-069. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { Browser } from "../../../support/core-browser.js"
import { errorOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { slowly, together } from "../../../support/stored-faults.js"
import type { MethodName } from "../../../support/stored-adapter.js"
import {
  ada,
  begin,
  countOf,
  expectSignedIn,
  grace,
  openStoredSite,
  ownerOf,
  signInAs,
  type StoredSite,
  type StoredSiteOptions,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const everyMethod: readonly MethodName[] = [
  ...(["getUser", "getUserByEmail", "getUserByAccount", "createUser", "linkAccount"] as const),
  ...(["getSessionAndUser", "createSession", "deleteSession"] as const),
]

/** A site whose store takes its time. */
function openSlow(options: StoredSiteOptions = {}): StoredSite {
  const site = openStoredSite(options)
  for (const method of everyMethod) site.stored.faults.set(method, slowly)
  return site
}

/** Two browsers come back from their providers at once. */
async function both(flows: readonly (readonly [Browser, string])[]): Promise<readonly Response[]> {
  return Promise.all(flows.map(([browser, callback]) => browser.get(callback)))
}

const notLinked = "302 /auth/signin?error=OAuthAccountNotLinked"

/** `signed in`, or where the error leads. */
function outcomes(responses: readonly Response[]): readonly string[] {
  const all = responses.map((response) => {
    const to = errorOf(response)
    return to === "302 /account" ? "signed in" : to
  })
  return [...all].sort()
}

const stores = [
  ["without unique indexes", { unique: false }],
  ["with unique indexes", { unique: true }],
] as const

describe.each(stores)("in one process, with a store %s", (_, stored) => {
  it("A-069: two first sign-ins with one account make one user, and both are signed in", async () => {
    const site = openSlow({ stored })
    const browsers = [site.another(), site.another()]
    const flows = await Promise.all(
      browsers.map(async (browser) => [browser, await begin({ ...site, browser }, ada)] as const),
    )

    for (const response of await both(flows)) expectSignedIn(response)

    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 2 })
    for (const browser of browsers)
      expect(await browser.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(site.told.filter(([name]) => name === "createUser")).toHaveLength(1)
    expect(site.log.errors).toEqual([])
  })

  it("A-069: two first sign-ins of somebody without an address make one user, and both are signed in", async () => {
    const site = openSlow({ stored })
    const [one, other] = [site.another(), site.another()]
    const flows = [
      [one, await begin({ ...site, browser: one }, { sub: "ada" })],
      [other, await begin({ ...site, browser: other }, { sub: "ada" })],
    ] as const

    expect(outcomes(await both(flows))).toEqual(["signed in", "signed in"])
    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 2 })
    expect(site.told.filter(([name]) => name === "createUser")).toHaveLength(1)
  })

  it("A-069: two first sign-ins with one address at two providers make one user, and one is refused", async () => {
    const site = openSlow({ stored })
    const [one, other] = [site.another(), site.another()]
    const flows = [
      [one, await begin({ ...site, browser: one }, ada, "idp")],
      [other, await begin({ ...site, browser: other }, { ...ada, sub: "7", email: "ADA@example.com" }, "other")],
    ] as const

    expect(outcomes(await both(flows))).toEqual([notLinked, "signed in"])

    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 1 })
    expect(site.log.types()).toEqual(["OAuthAccountNotLinked"])
  })

  it("A-068: two users who link one account at once: one has it, one is refused", async () => {
    const site = openSlow({ stored })
    const [one, other] = [site.another(), site.another()]
    await signInAs({ ...site, browser: one }, ada)
    await signInAs({ ...site, browser: other }, grace)
    const shared = { sub: "shared" }
    const flows = [
      [one, await begin({ ...site, browser: one }, shared, "other")],
      [other, await begin({ ...site, browser: other }, shared, "other")],
    ] as const

    expect(outcomes(await both(flows))).toEqual([notLinked, "signed in"])

    expect(site.stored.accounts.filter(({ provider }) => provider === "other")).toHaveLength(1)
    expect(["ada@example.com", "grace@example.com"]).toContain(ownerOf(site, "other", "shared"))
  })

  it("two first sign-ins with credentials make one user, and both are signed in", async () => {
    const site = openSlow({ stored })
    const browsers = [site.another(), site.another()]

    const responses = await Promise.all(
      browsers.map((browser) => browser.submit("callback/credentials", { name: "ann" })),
    )

    expect(responses.map((response) => response.headers.get("location"))).toEqual(Array(2).fill("https://app.example"))
    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 0, sessions: 2 })
  })

  it("two people with one address, by credentials, make one user", async () => {
    const people = [
      { id: "1", email: "Ann@Example.com" },
      { id: "2", email: "ann@example.com" },
    ]
    const site = openSlow({ stored, authorize: ({ name }) => people[Number(name)] ?? null })
    const browsers = [site.another(), site.another()]

    const responses = await Promise.all(
      browsers.map((browser, index) => browser.submit("callback/credentials", { name: String(index) })),
    )

    expect(responses.map(errorOf).sort()).toEqual(["302 /", "302 /auth/signin?error=AccountNotLinked"])
    expect(site.stored.users).toHaveLength(1)
  })
})

describe("in one process, with a store without unique indexes", () => {
  it("one address by credentials and at a provider makes one user", async () => {
    const site = openSlow({ stored: { unique: false }, authorize: () => ({ id: "1", email: "ADA@example.com" }) })
    const [one, other] = [site.another(), site.another()]
    const callback = await begin({ ...site, browser: one }, ada)
    const csrfToken = await other.csrfToken()
    site.stored.faults.set("createUser", together(2))

    await Promise.all([one.get(callback), other.post("callback/credentials", { csrfToken, name: "x" })])

    expect(site.stored.users).toHaveLength(1)
  })
})

describe("A-075, F-44: one callback, sent twice at once", () => {
  it.each([true, false])("redeems one code, and starts one session (signed in before: %j)", async (wasSignedIn) => {
    const site = openSlow()
    if (wasSignedIn) await signInAs(site, ada)
    const callback = await begin(site, ada)
    const before = site.idps.idp.count("token")

    await Promise.all([site.browser.get(callback), site.browser.get(callback)])

    expect(site.idps.idp.count("token") - before).toBe(1)
    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 1 })
  })
})

describe("F-41: fifty people at once", () => {
  it("are each signed in as themselves", async () => {
    const site = openSlow({ stored: { unique: false } })
    const people = Array.from({ length: 50 }, (_, index) => ({ sub: `p${index}`, email: `p${index}@example.com` }))
    const byNonce = new Map<unknown, object>()
    site.idps.idp.faults = { claims: (claims) => ({ ...claims, ...byNonce.get(claims["nonce"]) }) }
    const start = async (person: object) => {
      const browser = site.another()
      const url = await browser.start("idp")
      byNonce.set(url.searchParams.get("nonce"), person)
      return [browser, site.idps.idp.approve(url).href] as const
    }
    const flows = await Promise.all(people.map(start))

    await both(flows)

    const sessions = await Promise.all(flows.map(([browser]) => browser.session()))
    expect(sessions).toMatchObject(people.map(({ email }) => ({ user: { email } })))
    expect(countOf(site.stored)).toEqual({ users: 50, accounts: 50, sessions: 50 })
  })
})

describe("in two processes, with a store with unique indexes", () => {
  const atOnce = (site: StoredSite, methods: readonly MethodName[]) => {
    for (const method of methods) site.stored.faults.set(method, together(2))
  }

  it.each([
    ["plain", []],
    ["that lists accounts", ["listAccountsByUserId", "listSessionsByUserId"]],
    ["that writes both at once", ["createUserWithAccount"]],
  ] as const)("F-02: two first sign-ins with one account make one user: %s", async (_, extras) => {
    const site = openStoredSite({ stored: { extras } })
    const [here, there] = [site.another(), site.elsewhere()]
    const flows = [
      [here, await begin({ ...site, browser: here }, ada)],
      [there, await begin({ ...site, browser: there }, ada)],
    ] as const
    atOnce(site, ["createUser", "createUserWithAccount"])

    const responses = await both(flows)

    expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 1 })
    expect(outcomes(responses)).toContain("signed in")
    site.stored.faults.clear()
    for (const browser of [here, there]) expectSignedIn(await signInAs({ ...site, browser }, ada))
  })

  it("F-02: two people with one address make one user: one is refused, and nothing is left behind", async () => {
    const site = openStoredSite()
    const [here, there] = [site.another(), site.elsewhere()]
    const flows = [
      [here, await begin({ ...site, browser: here }, ada)],
      [there, await begin({ ...site, browser: there }, { ...ada, sub: "7" }, "other")],
    ] as const
    atOnce(site, ["createUser"])

    expect(outcomes(await both(flows))).toEqual([notLinked, "signed in"])

    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 1 })
  })

  it("F-02: two first sign-ins without an address make one user", async () => {
    const site = openStoredSite()
    const [here, there] = [site.another(), site.elsewhere()]
    const person = { sub: "ada" }
    const flows = [
      [here, await begin({ ...site, browser: here }, person)],
      [there, await begin({ ...site, browser: there }, person)],
    ] as const
    atOnce(site, ["createUser", "linkAccount"])

    expect(outcomes(await both(flows))).toEqual(["signed in", "signed in"])

    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 2 })
    expect(new Set(site.stored.sessions.map(({ userId }) => userId)).size).toBe(1)
  })

  it("F-08, A-068: two users who link one account: one has it, one is refused", async () => {
    const site = openStoredSite()
    const [here, there] = [site.another(), site.elsewhere()]
    await signInAs({ ...site, browser: here }, ada)
    await signInAs({ ...site, browser: there }, grace)
    const shared = { sub: "shared" }
    const flows = [
      [here, await begin({ ...site, browser: here }, shared, "other")],
      [there, await begin({ ...site, browser: there }, shared, "other")],
    ] as const
    atOnce(site, ["linkAccount"])

    expect(outcomes(await both(flows))).toEqual([notLinked, "signed in"])

    expect(site.stored.accounts.filter(({ provider }) => provider === "other")).toHaveLength(1)
    expect(await here.session()).not.toBeNull()
    expect(await there.session()).not.toBeNull()
  })

  it("F-08: one user who links one account twice has it once, and stays signed in at both", async () => {
    const site = openStoredSite()
    const [here, there] = [site.another(), site.elsewhere()]
    await signInAs({ ...site, browser: here }, ada)
    await signInAs({ ...site, browser: there }, ada)
    const flows = [
      [here, await begin({ ...site, browser: here }, grace, "other")],
      [there, await begin({ ...site, browser: there }, grace, "other")],
    ] as const
    atOnce(site, ["linkAccount"])

    expect(outcomes(await both(flows))).toEqual(["signed in", "signed in"])

    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 2, sessions: 2 })
  })

  it("F-02: two first sign-ins with credentials make one user, and both are signed in", async () => {
    const site = openStoredSite()
    const browsers = [site.another(), site.elsewhere()]
    atOnce(site, ["createUser"])

    const responses = await Promise.all(
      browsers.map((browser) => browser.submit("callback/credentials", { name: "ann" })),
    )

    expect(responses.map(errorOf)).toEqual(["302 /", "302 /"])
    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 0, sessions: 2 })
  })
})
