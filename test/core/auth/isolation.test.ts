import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { Auth, customFetch } from "../../../src/core/index.js"
import { Browser, configOf, openBrowser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { oidcAt, openSite, signIn } from "../../support/core-flow.js"
import { byName, enter, openPeople } from "../../support/core-people.js"
import { FaultyProvider } from "../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  Object.values(value).forEach(freezeDeep)
}

describe("A-115: a configuration", () => {
  it("is never written to", async () => {
    const site = openSite((idp) => oidcAt(idp, { checks: ["pkce", "state"] }))
    freezeDeep(site.config)

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
  })

  it("does not disturb another one in the same process", async () => {
    const bad = openPeople({ secret: "" })
    const good = openPeople()

    const statuses = [
      (await bad.browser.get("session")).status,
      (await good.browser.get("session")).status,
      (await bad.browser.get("session")).status,
      (await good.browser.get("session")).status,
    ]

    expect(statuses).toEqual([500, 200, 500, 200])
  })

  it("does not share with another one what its own fetch was told", async () => {
    const one = new FaultyProvider()
    const other = new FaultyProvider()
    one.faults = { discovery: (document) => ({ ...document, authorization_endpoint: "https://one.example/authorize" }) }
    const configs = [one, other].map((idp) => configOf({ providers: [{ ...oidcAt(idp), [customFetch]: idp.fetch }] }))

    const urls = []
    for (const config of configs) urls.push((await new Browser((request) => Auth(request, config)).start("idp")).origin)

    expect(urls).toEqual(["https://one.example", "https://idp.example"])
  })

  it("may be given as providers that are functions, each called once", async () => {
    const idp = new FaultyProvider()
    const factory = jest.fn(() => oidcAt(idp))
    const browser = openBrowser(configOf({ providers: [factory, () => byName()] }))

    await browser.get("signin")
    await browser.get("providers")

    expect(factory).toHaveBeenCalledTimes(1)
    expect(Object.keys((await (await browser.get("providers")).json()) as object)).toEqual(["idp", "credentials"])
  })
})

describe("requests in parallel", () => {
  it("each get their own origin", async () => {
    const { config } = openPeople()
    const hosts = Array.from({ length: 50 }, (_, index) => `https://h${index}.example`)

    const answers = await Promise.all(
      hosts.map(async (origin) => (await Auth(new Request(`${origin}/auth/providers`), config)).text()),
    )

    answers.forEach((answer, index) => expect(answer).toContain(`${hosts[index]}/auth/signin/credentials`))
  })

  it("each get their own user", async () => {
    const { another } = openPeople()
    const names = Array.from({ length: 30 }, (_, index) => `user${index}`)

    const sessions = await Promise.all(
      names.map(async (name) => {
        const browser = another()
        await enter(browser, { name })
        return browser.session()
      }),
    )

    expect(sessions).toMatchObject(names.map((name) => ({ user: { name } })))
  })
})

describe("a logger that throws", () => {
  it("changes no answer", async () => {
    const consoleError = jest.spyOn(console, "error").mockImplementation(() => undefined)
    const { browser } = openPeople({
      logger: {
        error: () => {
          throw new Error("disk full")
        },
      },
    })

    expect((await browser.post("signout")).headers.get("location")).toBe(
      "https://app.example/auth/signin?error=MissingCSRF",
    )
    consoleError.mockRestore()
  })
})
