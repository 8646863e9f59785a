import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { openSite, signIn } from "../../support/core-flow.js"
import { enter, openPeople, sessionCookie } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const csrf = "__Host-authjs.csrf-token"
const callbackUrl = "__Secure-authjs.callback-url"

function namesOf(response: Response): readonly string[] {
  return setCookiesOf(response).map(({ name, isRemoval }) => (isRemoval ? `-${name}` : name))
}

describe("a browser without cookies", () => {
  it.each(["csrf", "session", "signin", "signout", "verify-request", "error"])(
    "gets the CSRF cookie, then the callback URL: GET %s",
    async (path) => {
      const { browser } = openPeople()

      expect(namesOf(await browser.get(path))).toEqual([csrf, callbackUrl])
    },
  )

  it.each(["providers", "webauthn-options"])("gets none: GET %s", async (path) => {
    const { browser } = openPeople()

    expect(namesOf(await browser.get(path))).toEqual([])
  })

  it("gets none with a 400", async () => {
    const { browser } = openPeople()

    expect(namesOf(await browser.get("foo"))).toEqual([])
  })

  it("gets them with an error redirect too, so that the next attempt works", async () => {
    const { browser } = openPeople()

    expect(namesOf(await browser.post("signout"))).toEqual([csrf, callbackUrl])
  })
})

describe("a browser that has them", () => {
  it.each(["csrf", "session", "signin", "signout", "verify-request", "error"])(
    "gets no new ones: GET %s",
    async (path) => {
      const { browser } = openPeople()
      await browser.csrfToken()

      expect(namesOf(await browser.get(path))).toEqual([])
    },
  )

  it("gets the callback URL again when it changes", async () => {
    const { browser } = openPeople()
    await browser.csrfToken()

    const [cookie] = setCookiesOf(await browser.get("signin?callbackUrl=/account"))

    expect(cookie).toMatchObject({ name: callbackUrl, value: "https%3A%2F%2Fapp.example%2Faccount" })
  })

  it("gets another CSRF cookie when its own was tampered with", async () => {
    const { browser } = openPeople()
    await browser.csrfToken()
    browser.jar.set(csrf, `${"0".repeat(64)}%7C${"0".repeat(64)}`)

    expect(namesOf(await browser.get("csrf"))).toEqual([csrf])
  })
})

describe("the answers of a sign-in", () => {
  it("carry state, pkce and nonce, in this order, when it starts", async () => {
    const { browser } = openSite()
    await browser.csrfToken()

    const names = namesOf(await browser.submit("signin/idp"))

    expect(names).toEqual([
      expect.stringMatching(/^__Secure-authjs\.state\.[0-9a-f]{16}$/),
      expect.stringMatching(/^__Secure-authjs\.pkce\.code_verifier\.[0-9a-f]{16}$/),
      expect.stringMatching(/^__Secure-authjs\.nonce\.[0-9a-f]{16}$/),
    ])
  })

  it("remove those and carry the session, when it is completed", async () => {
    const response = await signIn(openSite())

    expect(namesOf(response)).toEqual([
      expect.stringMatching(/^-__Secure-authjs\.state\.[0-9a-f]{16}$/),
      expect.stringMatching(/^-__Secure-authjs\.pkce\.code_verifier\.[0-9a-f]{16}$/),
      expect.stringMatching(/^-__Secure-authjs\.nonce\.[0-9a-f]{16}$/),
      sessionCookie,
    ])
  })

  it("carry the session cookie alone, with credentials", async () => {
    const { browser } = openPeople()
    await browser.csrfToken()

    expect(namesOf(await enter(browser))).toEqual([sessionCookie])
  })
})

describe("sign-out", () => {
  it("removes the session cookie", async () => {
    const { browser } = openPeople()
    await enter(browser)

    expect(namesOf(await browser.submit("signout"))).toEqual([`-${sessionCookie}`])
  })

  it("removes nothing where there is nothing", async () => {
    const { browser } = openPeople()
    await browser.csrfToken()

    expect(namesOf(await browser.submit("signout"))).toEqual([])
  })
})

function attributesOf(response: Response) {
  return setCookiesOf(response).map(({ name, attributes }) => [name, ...attributes.keys()].join(" "))
}

describe("A-021, A-022: the attributes of cookies", () => {
  it("are those of https when the address is https", async () => {
    const { browser } = openPeople()

    const answers = [await browser.get("csrf"), await enter(browser)]

    expect(answers.flatMap(attributesOf)).toEqual([
      `${csrf} path httponly secure samesite`,
      `${callbackUrl} path httponly secure samesite`,
      `${sessionCookie} path expires httponly secure samesite`,
    ])
    for (const { attributes } of answers.flatMap(setCookiesOf)) {
      expect([attributes.get("path"), attributes.get("samesite")]).toEqual(["/", "Lax"])
    }
  })

  it("leave out Secure, and the name's prefix, when it is http", async () => {
    const { browser } = openPeople({}, {}, "http://localhost:3000")

    const answers = [await browser.get("csrf"), await enter(browser)]

    expect(answers.flatMap(attributesOf)).toEqual([
      "authjs.csrf-token path httponly samesite",
      "authjs.callback-url path httponly samesite",
      "authjs.session-token path expires httponly samesite",
    ])
  })

  it.each([
    [true, "http://localhost:3000", "__Secure-authjs.callback-url"],
    [false, "https://app.example", "authjs.callback-url"],
  ])("follow useSecureCookies: %s on %s", async (useSecureCookies, origin, name) => {
    const { browser } = openPeople({ useSecureCookies }, {}, origin)

    const cookie = setCookiesOf(await browser.get("csrf")).find((each) => each.name === name)

    expect(cookie?.attributes.has("secure")).toBe(useSecureCookies)
  })

  it("are laid over the defaults one by one", async () => {
    const { browser } = openPeople({
      cookies: {
        sessionToken: { name: "sid" },
        callbackUrl: { options: { sameSite: "strict", domain: "app.example" } },
      },
    })

    const answers = [await browser.get("csrf"), await enter(browser)]
    const [, target, session] = answers.flatMap(setCookiesOf)

    expect(Object.fromEntries(target?.attributes ?? [])).toEqual({
      domain: "app.example",
      path: "/",
      httponly: "",
      secure: "",
      samesite: "Strict",
    })
    expect(session?.name).toBe("sid")
    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })

  it("are the same when a cookie is removed", async () => {
    const { browser } = openPeople()
    await enter(browser)

    const [removal] = setCookiesOf(await browser.submit("signout"))

    expect(removal).toMatchObject({ name: sessionCookie, value: "" })
    expect(Object.fromEntries(removal?.attributes ?? [])).toMatchObject({
      "max-age": "0",
      path: "/",
      httponly: "",
      secure: "",
      samesite: "Lax",
    })
  })
})
