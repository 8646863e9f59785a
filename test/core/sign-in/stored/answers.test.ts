/** An adapter that does its work, and answers with something else than it should: F-12, F-24, F-27, F-29. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { errorOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import type { MethodName } from "../../../support/stored-adapter.js"
import { answers, losesAnswer, once } from "../../../support/stored-faults.js"
import { openScenario, scenarios, type Scenario } from "../../../support/stored-scenarios.js"
import { countOf, expectSignedIn, forget, ownerOf, type StoredSite } from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

function scenario(name: string): Scenario {
  const found = scenarios.find((each) => each.name === name)
  if (!found) throw new Error(`no scenario "${name}"`)
  return found
}

const nothing: readonly unknown[] = [undefined, null]
const wrong: readonly unknown[] = [{}, { id: "" }, { id: null }, [], true, 7, "text", Object.freeze({})]

type Row = readonly [scenario: string, method: MethodName, answers: readonly unknown[]]

function spread(rows: readonly Row[]): readonly (readonly [string, MethodName, unknown])[] {
  return rows.flatMap(([name, method, values]) => values.map((value) => [name, method, value] as const))
}

async function play(name: string, method: MethodName, answer: unknown): Promise<readonly [StoredSite, Response]> {
  const site = await openScenario(scenario(name))
  forget(site)
  site.stored.faults.set(method, answers(answer))
  const response = await scenario(name).run(site)
  expect(site.stored.called()).toContain(method)
  return [site, response]
}

async function expectMended(site: StoredSite, name: string): Promise<void> {
  site.stored.faults.clear()
  expectSignedIn(await scenario(name).run(site))
  expect(countOf(site.stored)).toMatchObject(scenario(name).ends)
  expect(await site.browser.session()).not.toBeNull()
}

describe("an answer that is no user is a fault of the adapter, and signs nobody in", () => {
  it.each(
    spread([
      ["a sign-up", "getUserByAccount", wrong],
      ["a sign-up", "getUserByEmail", wrong],
      ["a link, under jwt", "getUser", wrong],
      ["first credentials", "getUser", wrong],
      ["first credentials", "getUserByEmail", wrong],
    ]),
  )("%s, where %s answers %j", async (name, method, answer) => {
    const [site, response] = await play(name, method, answer)

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.types()).toEqual(["AdapterError"])
    expect(site.log.errors[0]?.message).toContain(method)
    expect(site.stored.writes()).toEqual([])
    await expectMended(site, name)
  })
})

describe("an answer that says nothing of a write does not undo it", () => {
  it.each(
    spread([
      ["a sign-up", "linkAccount", [...nothing, ...wrong]],
      ["a sign-up", "createUser", [...nothing, ...wrong]],
      ["a sign-up in one transaction", "createUserWithAccount", [...nothing, ...wrong]],
      ["first credentials", "createUser", [...nothing, ...wrong]],
      ["a second sign-in", "updateAccount", [...nothing, ...wrong]],
      ["a second sign-in", "deleteSession", [...nothing, ...wrong]],
      ["a second sign-in", "createSession", [...nothing, {}, Object.freeze({})]],
      ["a sign-up in one transaction", "deleteExpired", [...nothing, ...wrong]],
    ]),
  )("%s, where %s answers %j", async (name, method, answer) => {
    const [site, response] = await play(name, method, answer)

    expectSignedIn(response)
    expect(await site.browser.session()).not.toBeNull()
    expect(countOf(site.stored)).toMatchObject(scenario(name).ends)
    await expectMended(site, name)
  })
})

describe("F-12: a record of a session that cannot be relied on starts no link", () => {
  const user = { id: "1", email: "eve@example.com", emailVerified: null }
  const expires = new Date(Date.UTC(2030, 1))
  const records = [
    ...nothing,
    ...wrong,
    { session: { sessionToken: "s", userId: "1", expires } },
    { session: { sessionToken: "s", userId: "1", expires }, user: {} },
    { user },
    { session: null, user },
    ...[null, undefined, Number.NaN, new Date(Number.NaN), "soon", "2030", 4_102_444_800_000].map((moment) => ({
      session: { sessionToken: "s", userId: "1", expires: moment },
      user,
    })),
    { session: { sessionToken: "s", userId: "1", expires: "2020-01-01T00:00:00Z" }, user },
  ]

  it.each(records.map((record) => [record]))("%j", async (record) => {
    const [site, response] = await play("a link", "getSessionAndUser", record)

    expectSignedIn(response)
    expect(ownerOf(site, "other", "grace")).toBe("grace@example.com")
  })

  it("of another user than the session's links nothing to them", async () => {
    const site = await openScenario(scenario("a link"))
    const victim = { id: "victim", email: "victim@example.com", emailVerified: null }
    site.stored.users.push(victim)
    site.stored.faults.set("getSessionAndUser", async (work) => ({ ...((await work()) as object), user: victim }))

    await scenario("a link").run(site)

    expect(ownerOf(site, "other", "grace")).not.toBe("victim@example.com")
  })
})

describe("createSession", () => {
  it.each([
    { sessionToken: 7 },
    { sessionToken: "" },
    { sessionToken: "a b" },
    { sessionToken: "a;b" },
    { sessionToken: "a\r\nset-cookie: x=y" },
    { userId: "somebody-else" },
  ])("that comes with another session signs nobody in: %j", async (answer) => {
    const site = await openScenario(scenario("a sign-up"))
    site.stored.faults.set("createSession", async (work) => ({ ...((await work()) as object), ...answer }))

    const response = await scenario("a sign-up").run(site)

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.types()).toEqual(["AdapterError"])
    expect(await site.browser.session()).toBeNull()
    await expectMended(site, "a sign-up")
  })

  it.each([null, "soon", new Date(Number.NaN), 7])(
    "that gives no expiry gets the one asked for: %j",
    async (expires) => {
      const site = await openScenario(scenario("a sign-up"))
      site.stored.faults.set("createSession", async (work) => ({ ...((await work()) as object), expires }))

      expectSignedIn(await scenario("a sign-up").run(site))

      expect(await site.browser.session()).not.toBeNull()
    },
  )
})

/** A frozen copy, of frozen records. */
function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozen))
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, frozen(each)])))
}

describe("F-27: frozen answers", () => {
  it.each(scenarios)("are as good as others: $name", async ({ name, needs, spares = [] }) => {
    const site = await openScenario(scenario(name))
    for (const method of [...needs, ...spares]) site.stored.faults.set(method, async (work) => frozen(await work()))

    expectSignedIn(await scenario(name).run(site))

    expect(site.log.errors).toEqual([])
    expect(countOf(site.stored)).toMatchObject(scenario(name).ends)
  })
})

describe("F-29: a write whose answer is lost", () => {
  const writes: readonly Row[] = scenarios.flatMap(({ name, needs }) =>
    needs
      .filter((method) => /^(?:create|link)/.test(method))
      .map((method): Row => [name, method, [once, (f: never) => f]]),
  )

  it.each(spread(writes))("can be made again: %s, %s", async (name, method, often) => {
    const site = await openScenario(scenario(name))
    site.stored.faults.set(method, (often as typeof once)(losesAnswer))

    const response = await scenario(name).run(site)

    // A session of which nobody knows is of no use; all else can be looked up.
    if (method === "createSession") expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    else expectSignedIn(response)
    await expectMended(site, name)
  })
})

describe("the lists that tell whether a creation had broken off", () => {
  it.each(
    spread([
      ["a sign-in after a crash", "listAccountsByUserId", [...nothing, {}, true, 7, "text"]],
      ["a sign-in after a crash", "listSessionsByUserId", [...nothing, {}, true, 7, "text"]],
    ]),
  )("must be lists: %s, where %s answers %j", async (name, method, answer) => {
    const [site, response] = await play(name, method, answer)

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.types()).toEqual(["AdapterError"])
    expect(site.log.errors[0]?.message).toContain(method)
    await expectMended(site, name)
  })
})
