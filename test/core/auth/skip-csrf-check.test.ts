import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { skipCSRFCheck } from "../../../src/core/index.js"
import { errorOf, setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

describe("with skipCSRFCheck", () => {
  it("a POST needs no token", async () => {
    const { browser } = openPeople({ skipCSRFCheck })

    await browser.post("callback/credentials", { name: "ann" })

    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
    expect((await browser.post("signout")).headers.get("location")).toBe("https://app.example")
    expect(await browser.session()).toBeNull()
  })

  it("there is no token to be had, and its cookie goes", async () => {
    const { browser, log } = openPeople({ skipCSRFCheck })

    const response = await browser.get("csrf")

    expect({ status: response.status, text: await response.text() }).toEqual({ status: 404, text: "" })
    expect(log.warnings).toEqual(["csrf-disabled"])
    const cookie = setCookiesOf(response).find(({ name }) => name === "__Host-authjs.csrf-token")
    expect(cookie).toMatchObject({ value: "", isRemoval: true })
    expect(cookie?.attributes.get("max-age")).toBe("0")
  })

  it("no answer sets the cookie", async () => {
    const { browser } = openPeople({ skipCSRFCheck })

    const responses = [await browser.get("signin"), await browser.get("session"), await browser.post("signout")]

    expect(responses.flatMap(setCookiesOf).map(({ name }) => name)).toEqual(["__Secure-authjs.callback-url"])
  })

  it("the marker may be the one of @auth/core, known by its description", async () => {
    const { browser } = openPeople({ skipCSRFCheck: Symbol("skip-csrf-check") as typeof skipCSRFCheck })

    expect((await browser.post("signout")).headers.get("location")).toBe("https://app.example")
  })

  it.each([true, "skip-csrf-check", Symbol("skip")])("nothing else is taken for it: %p", async (marker) => {
    const { browser } = openPeople({ skipCSRFCheck: marker as unknown as typeof skipCSRFCheck })

    expect(errorOf(await browser.post("signout"))).toBe("302 /auth/signin?error=MissingCSRF")
  })
})
