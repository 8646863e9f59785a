/** An adapter that fails or hangs, at each method that a sign-in needs: F-01 to F-11, F-26, F-27, F-30. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { AdapterError } from "../../../../src/core/errors.js"
import { errorOf, setCookiesOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import type { Fault, MethodName } from "../../../support/stored-adapter.js"
import { down, fails, once, turns } from "../../../support/stored-faults.js"
import { openScenario, scenarios, type Scenario } from "../../../support/stored-scenarios.js"
import {
  countOf,
  expectSignedIn,
  forget,
  namesOf,
  openStoredSite,
  sessionCookie,
  signInAs,
  type StoredSite,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const rowOf: Readonly<Partial<Record<MethodName, string>>> = {
  createUser: "F-01",
  getUser: "F-03",
  getUserByEmail: "F-04",
  getUserByAccount: "F-05",
  linkAccount: "F-07",
  createSession: "F-09",
  getSessionAndUser: "F-11",
  createUserWithAccount: "F-30",
  listAccountsByUserId: "F-48",
  listSessionsByUserId: "F-48",
}

const late: { reject: (reason: unknown) => void } = { reject: () => undefined }

const faults: readonly (readonly [name: string, fault: Fault])[] = [
  ["rejects", fails],
  [
    "F-27: throws at once",
    () => {
      throw new Error(down)
    },
  ],
  [
    "F-27: throws nothing at once",
    () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- what adapters should not do either
      throw undefined
    },
  ],
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as above
  ["F-27: rejects with a text", () => Promise.reject(down)],
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as above
  ["F-27: rejects with nothing", () => Promise.reject()],
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as above
  ["F-27: rejects with a frozen object", () => Promise.reject(Object.freeze({ code: "23505" }))],
  ["F-26: never answers", () => new Promise(() => undefined)],
  [
    "F-26: fails when nobody waits any more",
    () =>
      new Promise((_, reject) => {
        late.reject = reject
      }),
  ],
]

type Row = readonly [name: string, method: MethodName, scenario: Scenario, fault: Fault]

/** Each method with every fault where it is first needed, and with the plainest in all other kinds of sign-in. */
function rows(methodsOf: (scenario: Scenario) => readonly MethodName[]): readonly Row[] {
  return scenarios.flatMap((scenario, index) =>
    methodsOf(scenario).flatMap((method) => {
      const isFirst = !scenarios.slice(0, index).some((earlier) => methodsOf(earlier).includes(method))
      return faults.slice(0, isFirst ? faults.length : 1).map(([name, fault]): Row => {
        return [`${rowOf[method] ?? "F-16"}: ${scenario.name}, where ${method} ${name}`, method, scenario, fault]
      })
    }),
  )
}

/** The adapter's failure, as it was logged: by itself, or as the cause of what became of it. */
function adapterErrors({ log }: StoredSite): readonly unknown[] {
  return log.errors.map((error) => {
    if (error instanceof AdapterError) return error
    const { err } = (error.cause ?? {}) as { readonly err?: unknown }
    return err
  })
}

function expectNoSecrets({ log, idps, browser, stored }: StoredSite): void {
  const text = log.text()
  const cookies = browser.jar.names().map((name) => browser.jar.get(name) ?? "")
  const tokens = stored.sessions.map(({ sessionToken }) => sessionToken)
  for (const secret of [...idps.idp.secrets, ...idps.other.secrets, ...cookies, ...tokens])
    if (secret.length > 8) expect(text).not.toContain(secret)
}

describe("nobody is signed in by a fault, and nobody locked out", () => {
  it.each(rows(({ needs }) => needs))("%s", async (_, method, scenario, fault) => {
    const site = await openScenario(scenario)
    const { stored, browser, told } = site
    const cookie = browser.jar.get(sessionCookie)
    forget(site)
    stored.faults.set(method, fault)

    const response = await scenario.run(site)
    late.reject(new Error(down))
    await turns(2)

    expect(stored.called()).toContain(method)
    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(setCookiesOf(response).filter(({ name }) => name.includes("session-token"))).toEqual([])
    expect(browser.jar.get(sessionCookie)).toBe(cookie)
    expect(namesOf(told)).not.toContain("signIn")
    expect(site.log.errors).toHaveLength(1)
    expect(adapterErrors(site)).toEqual([expect.objectContaining({ type: "AdapterError" })])
    expect(site.log.text()).toContain(`${method} failed`)
    expectNoSecrets(site)

    stored.faults.clear()
    if (cookie !== undefined) expect(await browser.session()).not.toBeNull()
    expectSignedIn(await scenario.run(site))
    expect(countOf(stored)).toMatchObject(scenario.ends)
    expect(await browser.session()).not.toBeNull()
  })
})

describe("whoever meets the failure of what can be spared is signed in", () => {
  it.each(rows(({ spares = [] }) => spares))("%s", async (_, method, scenario, fault) => {
    const site = await openScenario(scenario)
    forget(site)
    site.stored.faults.set(method, fault)

    expectSignedIn(await scenario.run(site))
    late.reject(new Error(down))
    await turns(2)

    expect(site.stored.called()).toContain(method)
    expectNoSecrets(site)
    site.stored.faults.clear()
    expect(await site.browser.session()).not.toBeNull()
    expect(countOf(site.stored)).toMatchObject(scenario.ends)
  })
})

describe("F-05: where it cannot be told whose an account is", () => {
  it("the signIn callback is not asked about somebody else", async () => {
    const asked: unknown[] = []
    const site = openStoredSite({ callbacks: { signIn: ({ user }) => asked.push(user.email) > 0 } })
    await signInAs(site)
    forget(site)
    asked.length = 0
    site.stored.faults.set("getUserByAccount", once(fails))

    const response = await signInAs(site)

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(asked).toEqual([])
    expect(site.stored.writes()).toEqual([])
  })
})

describe("whose sign-in meets a fault", () => {
  it("a program gets 500 and no session", async () => {
    const site = await openScenario(scenarios[0] as Scenario)
    site.idps.idp.person = { sub: "ada", email: "ada@example.com" }
    const callback = site.idps.idp.approve(await site.browser.start("idp")).href
    site.stored.faults.set("createUser", fails)

    const response = await site.browser.get(callback, { accept: "application/json" })

    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain(down)
    expect(await site.browser.session()).toBeNull()
  })

  it("a person is shown a page with status 500 that does not say what happened", async () => {
    const site = await openScenario(scenarios[0] as Scenario)
    site.stored.faults.set("createUser", fails)

    const page = await site.browser.follow(await (scenarios[0] as Scenario).run(site))

    expect(page.status).toBe(500)
    const text = await page.text()
    expect(text).not.toContain(down)
    expect(text).not.toContain("createUser")
  })
})
