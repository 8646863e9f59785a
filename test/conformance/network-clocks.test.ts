/** Providers whose clock is another: F-40; and times of our own: F-31, F-34. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { advanceClock, freezeClock, releaseClock } from "../support/core-clock.js"
import { expectRefused, oidcAt, openSite } from "../support/core-flow.js"
import { FaultyProvider } from "../../src/testing/faulty-provider.js"
import { down, enter, expectEntered, expectKeptOut, openKept, type KeptSite } from "../support/kept-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

/** Claims of a provider whose clock is `seconds` ahead, or behind when that is negative. */
const ahead =
  (seconds: number, lifetime = 300) =>
  (now: number) => ({ iat: now + seconds, exp: now + seconds + lifetime })

type Claims = (now: number) => Readonly<Record<string, number>>

function openWithClaims(change: Claims): KeptSite {
  const site = openKept()
  site.idp.faults = { claims: (claims) => ({ ...claims, ...change(Number(claims["iat"])) }) }
  return site
}

describe("F-40: a provider whose clock is another", () => {
  it.each<[string, Claims]>([
    ["60 s ahead", ahead(60)],
    ["60 s behind", ahead(-60)],
    // The row wants this refused. What tells it from a token that was on its way for long is its expiry alone.
    ["4 min behind, and the token lives longer", ahead(-240)],
    ["10 min behind, and the token lives longer", ahead(-600, 3600)],
    ["behind, so that the token expired 59 s ago", ahead(-60, 1)],
    ["30 s ahead, and the token is not to be used before", (now) => ({ ...ahead(30)(now), nbf: now + 30 })],
  ])("is believed: %s", async (_, change) => {
    const site = openWithClaims(change)

    await expectEntered(site, await enter(site, "ada"))
  })

  const refused: readonly (readonly [name: string, change: Claims, claim: string])[] = [
    ["61 s ahead", ahead(61), "iat"],
    ["4 min ahead", ahead(240), "iat"],
    ["a day ahead", ahead(24 * 3600), "iat"],
    ["601 s behind", ahead(-601, 3600), "iat"],
    ["4 min behind, so that the token has expired", ahead(-240, 120), "exp"],
    ["behind, so that the token expired 60 s ago", ahead(-60, 0), "exp"],
  ]

  it.each(refused)("is not believed, and the log says which claim it was: %s", async (_, change, claim) => {
    const site = openWithClaims(change)

    await expectKeptOut(site, await enter(site, "ada"))
    expect(site.log.text()).toContain(`"${claim}"`)
    site.idp.faults = {}
    await expectEntered(site, await enter(site, "ada"))
  })

  it("is believed when it is 60 s ahead, whatever the token says of its beginning", async () => {
    const site = openWithClaims((now) => ({ ...ahead(60)(now), nbf: now + 60 }))

    await expectEntered(site, await enter(site, "ada"))
  })

  it.each<[string, Claims]>([
    ["ahead", ahead(247)],
    ["behind", ahead(-847, 600)],
  ])("is not believed, and the log says by how much it is %s", async (_, change) => {
    const site = openWithClaims(change)

    await enter(site, "ada")

    expect(site.log.text()).toMatch(/\b[28]47 ?s/)
  })
})

describe("F-31: an issuer that is out of reach", () => {
  it("is not done without for more than a day, although its document was used shortly before", async () => {
    const site = openKept()
    await site.browser.start("idp")
    site.idp.faults = { discovery: down }
    advanceClock(23.9 * 3600)
    await site.browser.start("idp")
    advanceClock(0.9 * 3600)

    await expectRefused(site.browser, await site.browser.submit("signin/idp"), ["Configuration"])
  })

  it("costs one visitor the time that it takes, not each who comes in the next five seconds", async () => {
    const site = openKept()
    const hang = () => {
      advanceClock(10)
      return down()
    }
    site.idp.faults = { discovery: hang }

    for (const seconds of [0, 0, 4.9]) {
      advanceClock(seconds)
      await expectRefused(site.browser, await site.browser.submit("signin/idp"), ["Configuration"])
    }
    expect(site.idp.count("discovery")).toBe(1)

    advanceClock(0.2)
    site.idp.faults = {}
    await expectEntered(site, await enter(site, "ada"))
  })

  it("is asked every 30 seconds at most, where there is something to go on with", async () => {
    const site = openKept()
    await enter(site, "ada")
    site.idp.faults = { discovery: down }
    advanceClock(3601)

    await expectEntered(site, await enter(site, "grace"))
    advanceClock(29)
    await expectEntered(site, await enter(site, "joan"))
    expect(site.idp.count("discovery")).toBe(2)

    advanceClock(2)
    await expectEntered(site, await enter(site, "jean"))
    expect(site.idp.count("discovery")).toBe(3)
  })

  it("is given up after one deadline, where its document has two addresses", async () => {
    const idp = new FaultyProvider()
    const wellKnown = "https://idp.example/other/.well-known/openid-configuration"
    const site = openSite(() => oidcAt(idp, { wellKnown }), {}, {}, idp)
    idp.faults = { discovery: () => Promise.reject(new DOMException("timed out", "TimeoutError")) }

    await expectRefused(site.browser, await site.browser.submit("signin/idp"), ["Configuration"])
    expect(idp.count("discovery")).toBe(1)
  })
})

describe("F-40: clockTolerance", () => {
  it.each([
    [300, 300, expectEntered],
    [300, 301, expectKeptOut],
    [0, 0, expectEntered],
    [0, 1, expectKeptOut],
  ])("of %i seconds, and a clock that is %i s ahead", async (clockTolerance, seconds, expectOutcome) => {
    const site = openKept({}, { clockTolerance })
    site.idp.faults = { claims: (claims) => ({ ...claims, ...ahead(seconds)(Number(claims["iat"])) }) }

    await expectOutcome(site, await enter(site, "ada"))
  })
})

describe("F-34: timeouts.provider", () => {
  it.each([0.5, 2, 10])("may be %d seconds", async (provider) => {
    const site = openKept({ provider })

    await expectEntered(site, await enter(site, "ada"))
  })

  it.each([4.03, 16.1, 1 / 3])("may be %d seconds", async (provider) => {
    const site = openKept({ provider })

    await expectEntered(site, await enter(site, "ada"))
  })
})
