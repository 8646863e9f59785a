/** Session cookies that no sign-in of ours has made: what reaches the store, and what is cleared (security matrix, b.3). */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { Browser } from "../../support/core-browser.js"
import { setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, sessionCookie } from "../../support/core-people.js"
import { openDatabasePeople, tokenIn } from "../../support/database-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

/** `GET session` with just these cookies. `SESS` stands for the name of the session cookie. */
function ask(browser: Browser, cookies: string): Promise<Response> {
  const cookie = cookies.replaceAll("SESS", sessionCookie)
  return browser.answer(new Request(`${browser.base}/session`, { headers: { cookie } }))
}

const namesOf = (response: Response, isRemoval: boolean) =>
  setCookiesOf(response).flatMap((each) =>
    each.name.includes("session-token") && each.isRemoval === isRemoval
      ? [each.name.replace(sessionCookie, "SESS")]
      : [],
  )

/** A site with somebody signed in under the token `good`. */
async function openGood() {
  const people = openDatabasePeople({ session: { generateSessionToken: () => "good" } })
  await enter(people.browser)
  expect(tokenIn(people.browser)).toBe("good")
  people.forget()
  return people
}

const tokensAsked = ({ calls }: { calls: readonly { method: string; given: readonly unknown[] }[] }) =>
  calls.map(({ method, given: [token] }) => {
    expect(method).toBe("getSessionAndUser")
    return token
  })

describe("names that only look like the session cookie's (A-023)", () => {
  it.each([
    "SESS-evil=zzz",
    "SESSx=zzz",
    "SESS.10=zzz",
    "SESS.-1=zzz",
    "SESS.1e1=zzz",
    "SESS.01=zzz",
    "SESS.=zzz",
    "sess=zzz",
  ])("are neither read nor deleted: %s", async (foreign) => {
    const people = await openGood()

    for (const cookies of [`SESS=good; ${foreign}`, `${foreign}; SESS=good`]) {
      const response = await ask(people.browser, cookies)
      expect(await response.json()).toMatchObject({ user: { name: "ann" } })
      expect(namesOf(response, true)).toEqual([])
    }
    expect(tokensAsked(people)).toEqual(["good", "good"])

    people.forget()
    const alone = await ask(people.browser, foreign)
    expect(await alone.json()).toBeNull()
    expect(namesOf(alone, true)).toEqual([])
    expect(people.count()).toBe(0)
  })

  it("leave a chunk that belongs to no whole behind, and the session as it is", async () => {
    const people = await openGood()

    const response = await ask(people.browser, "SESS=good; SESS.9=zzz")

    expect(await response.json()).toMatchObject({ user: { name: "ann" } })
    expect(tokensAsked(people)).toEqual(["good"])
    expect(namesOf(response, false)).toEqual(["SESS"])
  })

  it.each(["SESS.0=go; SESS.2=od", "SESS.1=good", "SESS.9=good"])("make no token with a gap: %s", async (cookies) => {
    const people = await openGood()

    const response = await ask(people.browser, cookies)

    expect(await response.json()).toBeNull()
    expect(people.count()).toBe(0)
    expect(namesOf(response, true)).toHaveLength(cookies.split(";").length)
  })
})

describe("tokens that were never given out (A-025, A-027)", () => {
  it.each([
    ["SQL", "SESS=' OR 1=1--", 0],
    ["encoded SQL", "SESS=%27%20OR%201=1--", 0],
    ["a query of a document store", 'SESS={"$ne":1}', 0],
    ["the same, encoded", "SESS=%7B%22$ne%22:1%7D", 0],
    ["3 KB", `SESS=${"x".repeat(3000)}`, 0],
    ["broken percent-encoding", "SESS=%E0%A4%A", 1],
    ["a path", "SESS=../x", 1],
    ["100 dots", `SESS=${".".repeat(100)}`, 1],
    ["a NUL", "SESS=good%00", 0],
    ["a line break", "SESS=good%0d%0aSet-Cookie:%20x=y", 0],
    ["letters beyond ASCII", "SESS=%C3%A9", 0],
    ["a token of the jwt strategy", `SESS=eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..${"a".repeat(600)}`, 1],
  ])("reach the store at most once, and are cleared: %s", async (_what, cookies, times) => {
    const people = await openGood()

    const response = await ask(people.browser, cookies)

    expect([response.status, await response.json()]).toEqual([200, null])
    expect(tokensAsked(people)).toHaveLength(times)
    expect(namesOf(response, true)).toEqual(["SESS"])
    expect(people.log.errors).toEqual([])
  })

  it.each([
    ["good", "bad", { user: { name: "ann" } }],
    ["bad", "good", null],
    ["good", "good", { user: { name: "ann" } }],
  ])("stand first or not: of %s and %s the first counts, and one is looked up", async (first, second, session) => {
    const people = await openGood()

    const response = await ask(people.browser, `SESS=${first}; SESS=${second}`)

    const shown: unknown = await response.json()
    if (session) expect(shown).toMatchObject(session)
    else expect(shown).toBeNull()
    expect(tokensAsked(people)).toEqual([first])
  })
})

describe("a flood of chunks (A-026)", () => {
  it.each([
    ["2000 tiny ones", Array.from({ length: 2000 }, (_, index) => `SESS.${index}=a`).join("; ")],
    ["60 full ones", Array.from({ length: 60 }, (_, index) => `SESS.${index}=${"a".repeat(3936)}`).join("; ")],
  ])("costs one look at most and clears no more than there can be: %s", async (_what, cookies) => {
    const people = await openGood()

    const response = await ask(people.browser, cookies)

    expect(await response.json()).toBeNull()
    expect(people.count()).toBeLessThanOrEqual(1)
    expect(namesOf(response, true)).toHaveLength(10)
    expect(setCookiesOf(response).length).toBeLessThanOrEqual(12)
  })
})

describe("signing out with a token that is not ours", () => {
  it.each([
    ["' OR 1=1--", []],
    ["unknown", ["deleteSession"]],
  ])("clears it: %s", async (token, methods) => {
    const people = openDatabasePeople()
    people.browser.jar.set(sessionCookie, token)

    const response = await people.browser.submit("signout")

    expect(response.status).toBe(302)
    expect(namesOf(response, true)).toEqual(["SESS"])
    expect(people.calls.map(({ method }) => method)).toEqual(methods)
    expect(people.log.errors).toEqual([])
  })
})
