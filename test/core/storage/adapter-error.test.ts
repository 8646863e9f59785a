/** What an adapter threw, without the tokens that it may quote. */
import { describe, expect, it } from "@jest/globals"
import { inspect } from "node:util"
import { createStore } from "../../../src/core/storage/store.js"
import { adapterError } from "../../../src/core/storage/adapter-error.js"
import { recordingLogger } from "../../support/core-recording-logger.js"

const token = "the-session-token-of-ann"
const refresh = "the-refresh-token-of-ann"
const session = { sessionToken: token, userId: "1", expires: new Date(0) }

/** Everything that a log could show of an error. */
const textOf = (error: unknown) => inspect(error, { depth: 20, showHidden: true, maxStringLength: null })

const told = "insert into session failed"

/** Errors that quote the parameters of a statement, as libraries put them. */
const quoting: readonly (readonly [where: string, thrown: unknown])[] = [
  ["its message", new Error(`${told}: ${token}`)],
  ["a member", Object.assign(new Error(told), { parameters: ["1", token] })],
  ["a member of a member", Object.assign(new Error(told), { query: { sql: "…", values: [{ token }] } })],
  ["its cause", new Error(told, { cause: new Error(`Key ("sessionToken")=(${token}) already exists.`) })],
  ["a text that was thrown", `${told}: ${token}`],
  ["the message of an error that has none of its own", new Error("", { cause: new Error(`${told}: ${token}`) })],
]

/** The same, further away. */
const hidden: readonly (readonly [where: string, thrown: unknown])[] = [
  ["one of several errors", new AggregateError([new Error(`${told}: ${token}`)], told)],
  ["a map", Object.assign(new Error(told), { parameters: new Map([["token", token]]) })],
  ["a set", Object.assign(new Error(told), { parameters: new Set([token]) })],
  ["a member with a symbol for a name", Object.assign(new Error(told), { [Symbol("parameters")]: token })],
]

describe("an error that quotes a session token", () => {
  const expectUntold = (thrown: unknown) => {
    const error = adapterError("createSession", thrown, [session])

    expect(textOf(error)).not.toContain(token)
    expect(error).toMatchObject({ type: "AdapterError", cause: { method: "createSession" } })
    expect((error.cause?.err as Error).message).toContain(told)
  }

  it.each(quoting)("in %s is told without it", (_where, thrown) => expectUntold(thrown))

  it.each(hidden)("in %s is told without it", (_where, thrown) => expectUntold(thrown))

  it.each(["getSessionAndUser", "deleteSession"])("is told without it by %s, which gets nothing else", (method) => {
    expect(textOf(adapterError(method, new Error(`${told}: ${token}`), [token]))).not.toContain(token)
  })

  it("keeps its name and its code, by which it can be found", () => {
    class UniqueViolation extends Error {
      override readonly name = "UniqueViolation"
      readonly code = "23505"
      readonly detail = `Key ("sessionToken")=(${token}) already exists.`
    }

    expect(adapterError("createSession", new UniqueViolation(told), [session]).cause?.err).toMatchObject({
      name: "UniqueViolation",
      code: "23505",
      message: told,
    })
  })

  it("does without every token of an account", () => {
    const account = { access_token: token, refresh_token: refresh, session_state: "the-state-of-ann", provider: "p" }
    const thrown = new Error(`${told}: ${JSON.stringify(account)}`)

    const text = textOf(adapterError("linkAccount", thrown, [account]))

    for (const secret of [token, refresh, "the-state-of-ann"]) expect(text).not.toContain(secret)
  })
})

describe("an error that quotes no token", () => {
  it("is kept as it is", () => {
    const thrown = Object.assign(new Error("ECONNREFUSED"), { code: "ECONNREFUSED", address: "127.0.0.1" })

    expect(adapterError("createSession", thrown, [session]).cause?.err).toBe(thrown)
    expect(adapterError("getUser", thrown, ["1"]).cause?.err).toBe(thrown)
  })

  it("is not taken for one because of a short word", () => {
    const thrown = new Error("a database is down")

    expect(adapterError("getSessionAndUser", thrown, ["a"]).cause?.err).toBe(thrown)
  })
})

describe("an error that cannot be looked into", () => {
  const circular: Error & { self?: unknown } = new Error(told)
  circular.self = { again: circular, list: [circular, circular] }
  const touchy = Object.defineProperty(new Error(told), "details", {
    enumerable: true,
    get: () => {
      throw new Error("not now")
    },
  })
  const strange: readonly (readonly [what: string, thrown: unknown])[] = [
    ["goes round in circles", circular],
    ["is an object without anything", Object.create(null)],
    ["is a function", () => undefined],
    ["is a symbol", Symbol("thrown")],
  ]
  const throwing: readonly (readonly [what: string, thrown: unknown])[] = [
    ["throws when it is looked at", touchy],
    ["is a proxy that throws", new Proxy(new Error(told), { ownKeys: () => fail() })],
  ]

  const atOnce = (thrown: unknown) => {
    throw thrown
  }
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- drivers do reject without an error
  const later = (thrown: unknown) => Promise.reject(thrown)

  async function expectAdapterError(deleteSession: () => Promise<never>): Promise<void> {
    const store = createStore({ deleteSession }, { timeout: 0.02, logger: recordingLogger() })

    await expect(async () => store.deleteSession(token)).rejects.toMatchObject({ type: "AdapterError" })
  }

  it.each(strange)("is an AdapterError all the same if it %s (F-27)", async (_what, thrown) => {
    await expectAdapterError(() => atOnce(thrown))
    await expectAdapterError(() => later(thrown))
  })

  it.each(throwing)("is an AdapterError all the same if it %s (F-27)", async (_what, thrown) => {
    await expectAdapterError(() => atOnce(thrown))
    await expectAdapterError(() => later(thrown))
  })
})

function fail(): never {
  throw new Error("not now")
}
