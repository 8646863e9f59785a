/** Sessions that a provider may end: what tells them apart, and how the strategies end them. */
import { describe, expect, it } from "@jest/globals"
import type { Revocations } from "../../../src/adapters/contract.js"
import { MemoryRevocations } from "../../../src/adapters/memory.js"
import type { CallbacksOptions } from "../../../src/core/config/config.js"
import { decode, encode } from "../../../src/core/crypto/jwt.js"
import { createKeyRing } from "../../../src/core/crypto/key-ring.js"
import { JWTSessionError, UnsupportedStrategy } from "../../../src/core/errors.js"
import type { Cookies } from "../../../src/core/http/cookies.js"
import { jwtSessions } from "../../../src/core/sessions/jwt.js"
import { logoutMarks, type LogoutMarks } from "../../../src/core/sessions/logout-marks.js"
import { endedSessions } from "../../../src/core/sessions/revocations.js"
import type { NewSession } from "../../../src/core/sessions/strategy.js"
import type { JWT } from "../../../src/core/types.js"
import { recordingLogger } from "../../support/core-recording-logger.js"
import { outage } from "../../support/database-adapter.js"
import { annSignsIn, setUp as setUpDatabase } from "./database-setup.js"
import { at, cookiesAfter, day, maxAge, setting, start } from "./setup.js"

const account = { provider: "idp", providerAccountId: "ada" }

describe("marks", () => {
  it("are short texts that tell people and sessions of all providers apart", async () => {
    const [one, same, other] = await Promise.all([
      logoutMarks("idp", { sub: "ada", sid: "s1" }),
      logoutMarks("idp", { sub: "ada", sid: "s1" }),
      logoutMarks("other", { sub: "ada", sid: "s1" }),
    ])
    expect(one).toEqual(same)
    expect(one.person).toMatch(/^[0-9a-f]{32}$/)
    expect(one.session).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set([one.person, one.session, other.person, other.session]).size).toBe(4)
  })

  it("are not the same for a person and a session of one name, nor where names run together", async () => {
    const { person, session } = await logoutMarks("idp", { sub: "x", sid: "x" })
    expect(person).not.toBe(session)
    expect((await logoutMarks("a\nb", { sub: "c" })).person).not.toBe((await logoutMarks("a", { sub: "b\nc" })).person)
  })

  it.each([undefined, null, "", 7, ["s1"]])("are none for %j", async (value) => {
    expect(await logoutMarks("idp", { sub: value, sid: value })).toEqual({ person: undefined, session: undefined })
  })
})

function setUpTokens({
  callbacks = {},
  revocations = MemoryRevocations(),
}: {
  readonly callbacks?: Pick<CallbacksOptions, "jwt" | "session">
  readonly revocations?: Revocations | null
} = {}) {
  const clock = { now: start * 1000 }
  const keys = createKeyRing(["secret"])
  const sessions = jwtSessions({
    keys,
    logger: recordingLogger(),
    store: undefined,
    callbacks,
    maxAge,
    updateAge: day,
    jwt: { secret: "secret", maxAge, encode, decode },
    now: () => clock.now,
    revocations: revocations ? endedSessions(revocations, 0.05) : undefined,
  })
  const claimsOf = async (cookies: Cookies): Promise<JWT> =>
    keys.unseal(cookies[setting.name] ?? "", setting.name, clock.now / 1000)
  const signIn = async (logoutMarks?: LogoutMarks, more: Partial<NewSession> = {}): Promise<Cookies> =>
    cookiesAfter(await sessions.create(at({}), { ...annSignsIn, ...more, logoutMarks }))
  const visit = async (cookies: Cookies) => sessions.visit(`${setting.name}=${cookies[setting.name]}`, setting)
  return { clock, sessions, claimsOf, signIn, visit }
}

const marks = await logoutMarks("idp", { sub: "ada", sid: "s1" })

describe("a token session", () => {
  it("says by what and since when it can be ended", async () => {
    const { signIn, claimsOf } = setUpTokens()
    expect((await claimsOf(await signIn(marks)))["logout"]).toEqual({ ...marks, at: start * 1000 })
    const person = { person: marks.person, session: undefined }
    expect((await claimsOf(await signIn(person)))["logout"]).toEqual({ person: marks.person, at: start * 1000 })
  })

  it("is as ever where no provider may end it, or nothing is written down", async () => {
    const usual = setUpTokens()
    expect(Object.keys(await usual.claimsOf(await usual.signIn())).sort()).toEqual(
      ["email", "exp", "iat", "jti", "name", "picture", "sub"].sort(),
    )
    const forgetful = setUpTokens({ revocations: null })
    expect(await forgetful.claimsOf(await forgetful.signIn(marks))).not.toHaveProperty("logout")
  })

  it("tells callbacks nothing new at sign-in", async () => {
    const given: unknown[] = []
    const { signIn } = setUpTokens({ callbacks: { jwt: (params) => (given.push(params), params.token) } })
    await signIn(marks)
    expect(given).toEqual([
      { token: expect.not.objectContaining({ logout: expect.anything() }), ...annSignsIn, trigger: "signIn" },
    ])
  })

  it.each<[string, NonNullable<CallbacksOptions["jwt"]>]>([
    ["writes another token", () => ({ sub: "1", name: "Ann" })],
    ["removes the claim", ({ token: { logout: _gone, ...token } }) => token],
    ["changes the claim", ({ token }) => Object.assign(token, { logout: { person: "nobody", at: 9e15 } })],
    ["changes the claim's own members", ({ token }) => (Object.assign(token["logout"] ?? {}, { at: 9e15 }), token)],
  ])("can be ended although the jwt callback %s", async (_what, jwt) => {
    const { sessions, signIn, clock } = setUpTokens({ callbacks: { jwt } })
    let cookies = await signIn(marks)
    for (const kind of ["touch", "visit"] as const) {
      clock.now += 2 * day * 1000
      const read = await sessions.read(at(cookies), { kind })
      expect(read).toMatchObject({ session: { user: { name: "Ann" } } })
      cookies = cookiesAfter(read.cookies, cookies)
    }
    await sessions.revoke({ account, marks })
    expect((await sessions.read(at(cookies), { kind: "visit" })).session).toBeNull()
  })

  it("is not written anew at each visit because of the claim", async () => {
    const jwt: CallbacksOptions["jwt"] = ({ token: { iat } }) => ({ sub: "1", name: "Ann", iat })
    const { sessions, signIn } = setUpTokens({ callbacks: { jwt } })
    const cookies = await signIn(marks)
    expect((await sessions.read(at(cookies), { kind: "visit" })).cookies).toEqual([])
  })

  it.each(["visit", "touch", "update"] as const)("that was ended is signed out for a read of kind %s", async (kind) => {
    const { sessions, signIn } = setUpTokens()
    const cookies = await signIn(marks)
    await sessions.revoke({ account, marks })
    const read = await sessions.read(at(cookies), kind === "update" ? { kind, data: 1 } : { kind })
    expect(read).toEqual({ session: null, cookies: [expect.objectContaining({ name: setting.name, value: "" })] })
  })

  it("that was ended is signed out on an app route, however often it was seen there before", async () => {
    const { sessions, signIn, visit } = setUpTokens()
    const cookies = await signIn(marks)
    for (let count = 0; count < 3; count += 1)
      expect(await visit(cookies)).toMatchObject({ session: { user: { name: "Ann" } } })
    await sessions.revoke({ account, marks })
    expect((await visit(cookies)).session).toBeNull()
  })

  it("is seen at a glance where it cannot be ended", async () => {
    const { sessions, signIn } = setUpTokens({ revocations: null })
    const header = `${setting.name}=${(await signIn())[setting.name]}`
    await sessions.visit(header, setting)
    expect(sessions.visit(header, setting)).not.toBeInstanceOf(Promise)
  })

  it("of the same person is ended by sub, also where it began at that very moment, but not one that begins later", async () => {
    const { sessions, signIn, visit, clock } = setUpTokens()
    const [earlier, same] = [await signIn(marks), await signIn(await logoutMarks("idp", { sub: "ada", sid: "s2" }))]
    await sessions.revoke({ account, marks: { ...marks, session: undefined } })
    clock.now += 1
    const later = await signIn(marks)
    expect([(await visit(earlier)).session, (await visit(same)).session]).toEqual([null, null])
    expect((await visit(later)).session).not.toBeNull()
  })

  it("stays ended for as long as any token of it may live", async () => {
    const { sessions, signIn, visit, clock } = setUpTokens()
    const cookies = await signIn(marks)
    await sessions.revoke({ account, marks })
    clock.now += (maxAge + 14) * 1000
    // Entries that have expired are forgotten with the next one.
    await sessions.revoke({ account, marks: { person: "another", session: undefined } })
    expect((await visit(cookies)).session).toBeNull()
  })

  it("is neither signed in nor out while nobody can tell, which is an error", async () => {
    const broken: Revocations = { revoke: () => undefined, revokedAt: () => Promise.reject(outage) }
    const { sessions, signIn, visit } = setUpTokens({ revocations: broken })
    const cookies = await signIn(marks)
    await expect(visit(cookies)).rejects.toThrow(JWTSessionError)
    await expect(sessions.read(at(cookies), { kind: "touch" })).rejects.toThrow(JWTSessionError)
  })

  it("that was begun before there was a memory of ended sessions goes on", async () => {
    const before = setUpTokens({ revocations: null })
    const cookies = await before.signIn(marks)
    expect(await setUpTokens().visit(cookies)).toMatchObject({ session: { user: { name: "Ann" } } })
  })

  it("may have a claim of the application's own by that name", async () => {
    const jwt: CallbacksOptions["jwt"] = ({ token }) => ({ ...token, logout: "at noon" })
    const { sessions, signIn, claimsOf } = setUpTokens({ callbacks: { jwt } })
    const cookies = await signIn()
    expect((await sessions.read(at(cookies), { kind: "visit" })).session).not.toBeNull()
    expect((await claimsOf(cookies))["logout"]).toBe("at noon")
  })

  it("cannot be ended where nothing is written down, or nobody is named", async () => {
    const nobody = { person: undefined, session: undefined }
    await expect(setUpTokens({ revocations: null }).sessions.revoke({ account, marks })).rejects.toThrow(
      UnsupportedStrategy,
    )
    await expect(setUpTokens().sessions.revoke({ account: undefined, marks: nobody })).rejects.toThrow(
      UnsupportedStrategy,
    )
  })
})

describe("a database session", () => {
  const ada = { provider: "p", providerAccountId: "1" }

  async function setUpRecords() {
    // The memory adapter lists what has not expired by the clock of this machine.
    const given = setUpDatabase({ now: () => Date.now() })
    await given.real.linkAccount({ ...ada, type: "oidc", userId: "1" })
    const signIn = async (logoutMarks?: LogoutMarks): Promise<string> => {
      const [cookie] = await given.sessions.create(at({}), { ...annSignsIn, logoutMarks })
      return cookie?.value ?? ""
    }
    const isAlive = async (token: string) => (await given.real.getSessionAndUser(token)) !== null
    return { ...given, signIn, isAlive }
  }

  it("bears its mark in its token, where the provider named it", async () => {
    const { signIn } = await setUpRecords()
    expect(await signIn(marks)).toBe(`generated-1.${marks.session}`)
    expect(await signIn({ ...marks, session: undefined })).toBe("generated-2")
    expect(await signIn()).toBe("generated-3")
  })

  it("is refused where token and mark together are too long, or the token is none", async () => {
    for (const token of ["x".repeat(1000), "", "a b"]) {
      const { sessions } = setUpDatabase({ generateSessionToken: () => token })
      await expect(sessions.create(at({}), { ...annSignsIn, logoutMarks: marks })).rejects.toThrow(TypeError)
    }
  })

  it("is ended by its mark, and told of", async () => {
    const { sessions, signIn, isAlive } = await setUpRecords()
    const [meant, other, unmarked] = [
      await signIn(marks),
      await signIn(await logoutMarks("idp", { sid: "s2" })),
      await signIn(),
    ]

    const revoked = await sessions.revoke({ account: ada, marks })

    expect(revoked).toEqual({ events: [{ session: expect.objectContaining({ sessionToken: meant, userId: "1" }) }] })
    expect([await isAlive(meant), await isAlive(other), await isAlive(unmarked)]).toEqual([false, true, true])
  })

  it("is ended with all others of its user", async () => {
    const { sessions, signIn, isAlive } = await setUpRecords()
    const tokens = [await signIn(marks), await signIn()]
    const { events } = await sessions.revoke({ account: ada, marks: { ...marks, session: undefined } })
    expect(events).toHaveLength(2)
    expect(await Promise.all(tokens.map(isAlive))).toEqual([false, false])
  })

  it("that cannot be deleted keeps no other alive", async () => {
    const { sessions, signIn, isAlive, faults } = await setUpRecords()
    const [first, second] = [await signIn(marks), await signIn(marks)]
    faults.set("deleteSession", (real, [token]) => (token === first ? Promise.reject(outage) : real()))

    const revoked = await sessions.revoke({ account: ada, marks })

    expect(revoked).toMatchObject({
      events: [{ session: { sessionToken: second } }],
      failure: { type: "SignOutError" },
    })
    expect([await isAlive(first), await isAlive(second)]).toEqual([true, false])
    // Here, it is dead all the same.
    expect((await sessions.read(at({ [setting.name]: first }), { kind: "visit" })).session).toBeNull()
  })

  it("is not looked for where nobody is named, or there is nobody", async () => {
    const { sessions, signIn, isAlive } = await setUpRecords()
    const token = await signIn(marks)
    await expect(sessions.revoke({ account: undefined, marks })).rejects.toThrow(UnsupportedStrategy)
    expect(await sessions.revoke({ account: { ...ada, providerAccountId: "2" }, marks })).toEqual({ events: [] })
    expect(await isAlive(token)).toBe(true)
  })

  it.each([null, undefined, "none", {}])("is not taken for ended when the store lists %j", async (list) => {
    const { sessions, faults } = await setUpRecords()
    faults.set("listSessionsByUserId", () => list)
    await expect(sessions.revoke({ account: ada, marks })).rejects.toThrow("returned no list")
  })
})
