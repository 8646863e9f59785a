import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { AccessDenied } from "../../../src/core/errors.js"
import { locationOf, setCookiesOf } from "../../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../../support/core-clock.js"
import { byName, enter, openPeople, type People } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const failing = (thrown: unknown = new Error("db down: host=10.0.0.7")) => ({
  providers: [
    byName(() => {
      throw thrown
    }),
  ],
})

async function failAndFollow({ browser }: People): Promise<string> {
  return (await browser.follow(await enter(browser))).text()
}

describe("a failure has a reference", () => {
  it("that is in the log and on the error page", async () => {
    const people = openPeople(failing())

    const html = await failAndFollow(people)

    const [error] = people.log.errors
    expect(error?.correlationId).toMatch(/^[0-9a-f]{10}$/)
    expect(html).toContain(error?.correlationId)
  })

  it("that is another one each time", async () => {
    const people = openPeople(failing())

    await enter(people.browser)
    await enter(people.browser)

    const [one, other] = people.log.errors
    expect(one?.correlationId).not.toBe(other?.correlationId)
  })

  it("that the page shows once", async () => {
    const people = openPeople(failing())
    await failAndFollow(people)

    const html = await (await people.browser.get("error?error=Configuration")).text()

    expect(html).not.toContain(people.log.errors[0]?.correlationId)
  })

  it("that is forgotten after a minute", async () => {
    const people = openPeople(failing())
    const response = await enter(people.browser)
    const note = people.browser.jar.get("__Secure-authjs.error") ?? ""
    advanceClock(60 + 16)
    people.browser.jar.set("__Secure-authjs.error", note)

    const answer = await people.browser.follow(response)

    expect(await answer.text()).not.toContain(people.log.errors[0]?.correlationId)
    expect(setCookiesOf(answer)).toMatchObject([{ name: "__Secure-authjs.error", isRemoval: true }])
  })

  it("that is in the JSON of a client that asked for it", async () => {
    const { browser, log } = openPeople(failing())

    const response = await browser.submit("callback/credentials", {}, { accept: "application/json" })

    expect(await response.json()).toMatchObject({ reference: log.errors[0]?.correlationId })
  })

  it("that is on the page of a refusal, too", async () => {
    const people = openPeople({ callbacks: { signIn: () => false } })

    const html = await failAndFollow(people)

    expect(people.log.types()).toEqual(["AccessDenied"])
    expect(html).toContain(people.log.errors[0]?.correlationId)
  })

  it("that is in the log for errors built on the classes of @auth/core as well", async () => {
    const foreign = Object.assign(new Error("no"), { type: "AccessDenied", kind: "error" })
    const people = openPeople({
      callbacks: {
        signIn: () => {
          throw foreign
        },
      },
    })

    const html = await failAndFollow(people)

    const shown = /<code>([0-9a-f]{10})<\/code>/.exec(html)?.[1]
    expect(shown).toBeDefined()
    expect(people.log.text()).toContain(shown)
  })

  it("even if the application throws the same frozen error each time", async () => {
    const frozen = Object.freeze(new AccessDenied("no"))
    const { browser } = openPeople(failing(frozen))

    expect(locationOf(await enter(browser))).toBe("https://app.example/auth/error?error=AccessDenied")
  })

  it("that nobody can plant", async () => {
    const { browser, another } = openPeople(failing())
    const other = another()
    await enter(other)
    browser.jar.set("__Secure-authjs.error", "<b>planted</b>")

    const response = await browser.get("error?error=Configuration")

    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain("planted")
  })
})

describe("what went wrong in detail", () => {
  it("is told in development", async () => {
    const html = await failAndFollow(openPeople(failing(), { development: true }))

    expect(html).toContain("CallbackRouteError")
    expect(html).toContain("db down: host=10.0.0.7")
  })

  it("is told as text, not as HTML", async () => {
    const html = await failAndFollow(openPeople(failing(new Error("<img src=x>")), { development: true }))

    expect(html).not.toContain("<img src=x>")
    expect(html).toContain("&lt;img src=x&gt;")
  })

  it("is not told in production", async () => {
    const people = openPeople(failing(), { development: false })
    const response = await enter(people.browser)
    const html = await (await people.browser.follow(response)).text()

    for (const text of [html, ...response.headers.values()]) {
      expect(text).not.toContain("10.0.0.7")
      expect(text).not.toContain("CallbackRouteError")
    }
  })

  it("is not told of a refusal: that is no defect", async () => {
    const people = openPeople(
      {
        callbacks: {
          signIn: () => {
            throw new Error("on the block list")
          },
        },
      },
      { development: true },
    )

    expect(await failAndFollow(people)).not.toContain("block list")
  })
})
