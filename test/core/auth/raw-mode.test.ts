import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { compiledFor } from "../../../src/core/auth.js"
import { AccessDenied, AuthError, CredentialsSignin, SignInError } from "../../../src/core/errors.js"
import { Auth, raw, skipCSRFCheck, type AuthConfig } from "../../../src/core/index.js"
import { configOf, testPorts } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { captureLog } from "../../support/core-log.js"
import { byName, sessionCookie } from "../../support/core-people.js"
import { oidcAt } from "../../support/core-flow.js"
import { FaultyProvider } from "../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

function open(given: Partial<AuthConfig> = {}) {
  const log = captureLog()
  const idp = new FaultyProvider()
  const config = configOf({
    providers: [byName(), oidcAt(idp)],
    logger: log.logger,
    skipCSRFCheck,
    ...given,
  })
  const rawConfig = { ...config, raw } as const
  compiledFor(rawConfig, testPorts({ fetch: idp.fetch }))
  const send = (method: string, path: string, form?: Readonly<Record<string, string>>, headers = {}) =>
    Auth(
      new Request(`https://app.example/auth/${path}`, { method, headers, body: form && new URLSearchParams(form) }),
      rawConfig,
    )
  return { send, log }
}

const refusing = (thrown: unknown) => ({
  providers: [
    byName(() => {
      throw thrown
    }),
  ],
})

describe("in raw mode, a result is a record", () => {
  it("of a redirect, with its cookies", async () => {
    const { send } = open()

    const record = await send("POST", "callback/credentials", { name: "ann", callbackUrl: "/account" })

    expect(record).not.toBeInstanceOf(Response)
    expect(record).toMatchObject({ status: 302, redirect: "https://app.example/account" })
    expect("cookies" in record && record.cookies).toEqual([
      {
        name: "__Secure-authjs.callback-url",
        value: "https://app.example/account",
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: true },
      },
      {
        name: sessionCookie,
        value: expect.any(String),
        options: {
          httpOnly: true,
          sameSite: "lax",
          path: "/",
          secure: true,
          expires: new Date("2026-03-31T12:00:00.000Z"),
        },
      },
    ])
  })

  it("of JSON, unserialised", async () => {
    const { send } = open()

    expect(await send("GET", "session")).toMatchObject({ status: 200, body: null })
    expect(await send("GET", "providers")).toMatchObject({ status: 200, body: { credentials: { id: "credentials" } } })
  })

  it("of a page, as HTML", async () => {
    const { send } = open()

    const record = await send("GET", "signin")

    expect(record).toMatchObject({ status: 200, body: expect.stringContaining("<title>Sign In</title>") })
  })

  it("of the start of a sign-in, with the check cookies", async () => {
    const { send } = open()

    const record = await send("POST", "signin/idp", {})

    expect("redirect" in record && record.redirect).toMatch(/^https:\/\/idp\.example\/authorize\?/)
    expect("cookies" in record && record.cookies).toHaveLength(4)
  })

  it("of a redirect that is to be told in JSON", async () => {
    const { send } = open()

    const record = await send("POST", "signout", { callbackUrl: "/bye" }, { "x-auth-return-redirect": "1" })

    expect(record).toMatchObject({ status: 200, body: { url: "https://app.example/bye" } })
  })
})

class Mine extends AuthError {}
class MineAtSignIn extends SignInError {}

describe("in raw mode, an AuthError is thrown to the caller", () => {
  it.each<[string, AuthError]>([
    ["CredentialsSignin", new CredentialsSignin()],
    ["AccessDenied", new AccessDenied("no")],
    ["a class of one's own, with the type of its parent", new Mine("mine")],
    ["a sign-in error of one's own", new MineAtSignIn("mine")],
  ])("%s", async (_, error) => {
    const { send } = open(refusing(error))

    await expect(send("POST", "callback/credentials", { name: "ann" })).rejects.toBe(error)
  })

  it("when authorize refuses", async () => {
    const { send } = open({ providers: [byName(() => null)] })

    await expect(send("POST", "callback/credentials", {})).rejects.toMatchObject({
      type: "CredentialsSignin",
      code: "credentials",
    })
  })

  it("when the CSRF token is missing", async () => {
    const { send } = open({ skipCSRFCheck: undefined })

    await expect(send("POST", "signout", {})).rejects.toMatchObject({ type: "MissingCSRF" })
  })

  it("when something else broke inside a sign-in, wrapped", async () => {
    const original = new Error("db down")
    const { send } = open(refusing(original))

    await expect(send("POST", "callback/credentials", {})).rejects.toMatchObject({
      type: "CallbackRouteError",
      cause: { err: original },
    })
  })

  it("and logged, once", async () => {
    const error = new CredentialsSignin()
    const { send, log } = open(refusing(error))

    await expect(send("POST", "callback/credentials", {})).rejects.toBe(error)

    expect(log.errors).toEqual([error])
  })

  it("but not with X-Auth-Return-Redirect: the client is told", async () => {
    const { send } = open(refusing(new CredentialsSignin()))

    const response = await send("POST", "callback/credentials", {}, { "x-auth-return-redirect": "1" })

    expect(response).toBeInstanceOf(Response)
    expect(await (response as Response).json()).toEqual({
      url: "https://app.example/auth/signin?error=CredentialsSignin&code=credentials",
    })
  })
})

describe("in raw mode, a Response is what remains", () => {
  it("for an error that is none of ours", async () => {
    const { send } = open({
      callbacks: {
        redirect: () => {
          throw new Error("no idea")
        },
      },
    })

    const response = await send("POST", "signout", { callbackUrl: "/x" })

    expect(response).toBeInstanceOf(Response)
    expect((response as Response).headers.get("location")).toBe("https://app.example/auth/error?error=Configuration")
  })

  it("for a path that is no action", async () => {
    const { send } = open()

    expect(await send("GET", "foo")).toMatchObject({ status: 400 })
    expect(await send("GET", "foo")).toBeInstanceOf(Response)
  })
})

describe("the marker of raw mode", () => {
  it("may be the one of @auth/core, known by its description", async () => {
    const config = configOf({ raw: Symbol("return-type-raw") as typeof raw })
    const result: unknown = await Auth(new Request("https://app.example/auth/session"), config)

    expect(result).not.toBeInstanceOf(Response)
  })

  it.each([true, "raw", Symbol("raw"), Symbol.for("other")])("is nothing else: %p", async (marker) => {
    const config = configOf({ raw: marker as typeof raw })

    expect(await Auth(new Request("https://app.example/auth/session"), config)).toBeInstanceOf(Response)
  })
})
