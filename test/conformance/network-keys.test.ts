/** Keys of an issuer that cannot be had, or are others than before: F-37. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { advanceClock, freezeClock, releaseClock } from "../support/core-clock.js"
import type { Faults } from "../../src/testing/faulty-provider.js"
import { down, enter, expectEntered, expectKeptOut, openKept } from "../support/kept-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const unknownKey: Faults = { header: (header) => ({ ...header, kid: crypto.randomUUID() }) }
const together = 10

describe("F-37: keys that cannot be had", () => {
  it("let nobody in as long as there is none", async () => {
    const site = openKept()
    site.idp.faults = { jwks: down }

    await expectKeptOut(site, await enter(site, "ada"))
    await expectKeptOut(site, await enter(site, "grace"))
    expect(site.idp.count("jwks")).toBe(2)

    site.idp.faults = {}
    await expectEntered(site, await enter(site, "ada"))
  })

  it("are not asked for within ten minutes", async () => {
    const site = openKept()
    await enter(site, "ada")
    site.idp.faults = { jwks: down }
    advanceClock(599)

    await expectEntered(site, await enter(site, "grace"))
    expect(site.idp.count("jwks")).toBe(1)
  })

  it("are done without for a day, asked for every 30 seconds at most, and no longer", async () => {
    const site = openKept()
    await enter(site, "ada")
    site.idp.faults = { jwks: down }
    advanceClock(601)

    await expectEntered(site, await enter(site, "grace"))
    await expectEntered(site, await enter(site, "joan"))
    expect(site.idp.count("jwks")).toBe(2)

    advanceClock(23.8 * 3600)
    await expectEntered(site, await enter(site, "jean"))
    expect(site.idp.count("jwks")).toBe(3)

    advanceClock(3600)
    await expectKeptOut(site, await enter(site, "eve"))
  })

  it("are done without although somebody has brought an unknown one meanwhile", async () => {
    const site = openKept()
    await enter(site, "ada")
    advanceClock(31)
    site.idp.faults = { ...unknownKey, jwks: down }
    await expectKeptOut(site, await enter(site, "eve"))
    site.idp.faults = { jwks: down }

    await expectEntered(site, await enter(site, "grace"))
  })
})

describe("F-37: keys that are rotated", () => {
  it.each([
    [29, 1, expectKeptOut],
    [30, 2, expectEntered],
    [45, 2, expectEntered],
  ])("are fetched again, but not within 30 seconds: %i s later", async (seconds, fetched, expectOutcome) => {
    const site = openKept()
    await enter(site, "ada")
    advanceClock(seconds)
    await site.idp.rotateKeys()

    await expectOutcome(site, await enter(site, "grace"))
    expect(site.idp.count("jwks")).toBe(fetched)
  })

  it("are not fetched again for each of many unknown ones", async () => {
    const site = openKept()
    await enter(site, "ada")
    advanceClock(31)
    site.idp.faults = unknownKey
    await enter(site, "eve")
    expect(site.idp.count("jwks")).toBe(2)

    await Promise.all(Array.from({ length: together }, () => enter(site, "eve")))

    expect(site.idp.count("jwks")).toBe(2)
    await expectKeptOut(site, await enter(site, "eve"))
    site.idp.faults = {}
    await expectEntered(site, await enter(site, "grace"))
  })

  it("are fetched once for all who come together with unknown ones", async () => {
    const site = openKept()
    await enter(site, "ada")
    advanceClock(31)
    site.idp.faults = unknownKey

    await Promise.all(Array.from({ length: together }, () => enter(site, "eve")))

    expect(site.idp.count("jwks")).toBe(2)
  })

  it("are fetched once for all who come together at first", async () => {
    const site = openKept()

    await Promise.all(Array.from({ length: together }, () => enter(site, "ada")))

    expect(site.idp.count("jwks")).toBe(1)
  })
})
