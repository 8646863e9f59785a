import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { configOf, openBrowser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { oauthAt, oidcAt } from "../../support/core-flow.js"
import { byName, openPeople } from "../../support/core-people.js"
import { FaultyProvider } from "../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const publicOf = (base: string, id: string, name: string, type: string) => ({
  id,
  name,
  type,
  signinUrl: `${base}/signin/${id}`,
  callbackUrl: `${base}/callback/${id}`,
})

describe("GET providers", () => {
  it("is a map in the order of the configuration, and tells no more than five members", async () => {
    const idp = new FaultyProvider()
    const browser = openBrowser(
      configOf({
        providers: [oauthAt(idp, { id: "z", name: "Zed", style: { bg: "#000" } }), byName(), oidcAt(idp, { id: "a" })],
      }),
    )

    const text = await (await browser.get("providers")).text()

    const base = "https://app.example/auth"
    expect(text).toBe(
      JSON.stringify({
        z: publicOf(base, "z", "Zed", "oauth"),
        credentials: publicOf(base, "credentials", "Credentials", "credentials"),
        a: publicOf(base, "a", "Idp", "oidc"),
      }),
    )
  })

  it("speaks of the address of the request", async () => {
    const browser = openBrowser(
      configOf({ providers: [byName()], basePath: "/api/auth" }),
      undefined,
      "http://localhost:3000",
    )

    expect(await (await browser.get("providers")).json()).toEqual({
      credentials: publicOf("http://localhost:3000/api/auth", "credentials", "Credentials", "credentials"),
    })
  })

  it("is empty without providers", async () => {
    expect(await (await openBrowser(configOf()).get("providers")).json()).toEqual({})
  })

  it("knows a provider by the id that its options give", async () => {
    const idp = new FaultyProvider()
    const browser = openBrowser(configOf({ providers: [{ ...oauthAt(idp), options: { id: "mine", name: "Mine" } }] }))

    expect(await (await browser.get("providers")).json()).toEqual({
      mine: publicOf("https://app.example/auth", "mine", "Mine", "oauth"),
    })
  })
})

describe("GET csrf", () => {
  it("gives the token alone, the same each time", async () => {
    const { browser } = openPeople()

    const bodies = [await (await browser.get("csrf")).text(), await (await browser.get("csrf")).text()]

    expect(bodies[0]).toMatch(/^\{"csrfToken":"[0-9a-f]{64}"\}$/)
    expect(bodies[1]).toBe(bodies[0])
  })

  it("gives another token to another browser", async () => {
    const { browser, another } = openPeople()

    expect(await another().csrfToken()).not.toBe(await browser.csrfToken())
  })
})
