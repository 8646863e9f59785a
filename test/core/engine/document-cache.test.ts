import { describe, expect, it } from "@jest/globals"
import { createDocumentCache, type DocumentPlace } from "../../../src/core/engine/document-cache.js"

const minute = 60 * 1000
const hour = 60 * minute
const url = "https://idp.example/.well-known/openid-configuration"

const source: typeof fetch = () => Promise.reject(new Error("no network in tests"))
const another: typeof fetch = () => Promise.reject(new Error("no network in tests"))
const place: DocumentPlace = { source, url, freshFor: hour }
const elsewhere: DocumentPlace = { ...place, source: another }

function setUp() {
  const clock = { now: 0 }
  const cache = createDocumentCache(() => clock.now)
  const loads: string[] = []
  const load = (text: string) => () => {
    loads.push(text)
    return Promise.resolve(text)
  }
  const fail = () => Promise.reject(new Error("connection refused"))
  return { clock, cache, loads, load, fail }
}

describe("a document", () => {
  it("is loaded once an hour", async () => {
    const { clock, cache, loads, load } = setUp()

    expect(await cache.get(place, load("one"))).toBe("one")
    clock.now = hour - 1
    expect(await cache.get(place, load("two"))).toBe("one")
    clock.now = hour
    expect(await cache.get(place, load("three"))).toBe("three")
    expect(loads).toEqual(["one", "three"])
  })

  it("is kept for its own address", async () => {
    const { cache, load } = setUp()
    await cache.get(place, load("one"))

    expect(await cache.get({ ...place, url: `${url}/other` }, load("two"))).toBe("two")
  })

  it("is used for a day when its issuer cannot be reached", async () => {
    const { clock, cache, load, fail } = setUp()
    await cache.get(place, load("one"))

    clock.now = 24 * hour - 1
    expect(await cache.get(place, fail)).toBe("one")
    clock.now = 24 * hour
    await expect(cache.get(place, fail)).rejects.toThrow("connection refused")
  })

  it("that could not be loaded is asked for again at once", async () => {
    const { cache, load, fail } = setUp()
    await expect(cache.get(place, fail)).rejects.toThrow("connection refused")

    expect(await cache.get(place, load("one"))).toBe("one")
  })

  it("is kept for the fetch that it came by: what an application's own was told is for nobody else", async () => {
    const { cache, load } = setUp()
    await cache.get(elsewhere, load("forged"))

    expect(await cache.get(place, load("genuine"))).toBe("genuine")
    expect(await cache.get(elsewhere, load("again"))).toBe("forged")
  })

  it("is loaded again after it was forgotten, and those of another fetch are not", async () => {
    const { cache, load, fail } = setUp()
    await cache.get(place, load("one"))
    await cache.get(elsewhere, load("other"))
    cache.forget(place)

    await expect(cache.get(place, fail)).rejects.toThrow("connection refused")
    expect(await cache.get(place, load("two"))).toBe("two")
    expect(await cache.get(elsewhere, load("unused"))).toBe("other")
  })

  it("is loaded once for all who come together, and their failure is one", async () => {
    const { cache, loads, load } = setUp()
    const failing = () => {
      loads.push("in vain")
      return Promise.reject(new Error("connection refused"))
    }

    const failed = await Promise.allSettled([1, 2, 3].map(() => cache.get(place, failing)))
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(["rejected"]))

    expect(await Promise.all([cache.get(place, load("one")), cache.get(place, load("two"))])).toEqual(["one", "one"])
    expect(loads).toEqual(["in vain", "one"])
  })

  it("that took long to fail is not asked for again within five seconds", async () => {
    const { clock, cache, load } = setUp()
    const hang = () => {
      clock.now += 10_000
      return Promise.reject(new Error("timed out"))
    }
    await expect(cache.get(place, hang)).rejects.toThrow("timed out")

    clock.now += 4999
    await expect(cache.get(place, load("one"))).rejects.toThrow("timed out")
    clock.now += 1
    expect(await cache.get(place, load("one"))).toBe("one")
  })

  it("that is no longer fresh is asked for every 30 seconds, until its issuer answers", async () => {
    const { clock, cache, loads, load, fail } = setUp()
    await cache.get(place, load("one"))
    clock.now = hour
    expect(cache.known(place)).toBeUndefined()
    expect(await cache.get(place, fail)).toBe("one")

    clock.now += 29_999
    expect([cache.known(place), await cache.get(place, load("two"))]).toEqual(["one", "one"])
    clock.now += 1
    expect(cache.known(place)).toBeUndefined()
    expect(await cache.get(place, load("three"))).toBe("three")
    expect(loads).toEqual(["one", "three"])
  })

  it("is not waited for by those who can go on with what it was, while somebody asks", async () => {
    const { clock, cache, load } = setUp()
    await cache.get(place, load("one"))
    clock.now = hour
    const answer = { give: (_: string) => undefined as void }
    const asking = cache.get(place, () => new Promise((resolve) => (answer.give = resolve)))

    expect(await cache.get(place, load("two"))).toBe("one")

    answer.give("three")
    expect([await asking, await cache.get(place, load("four"))]).toEqual(["three", "three"])
  })

  it("is renewed before its time, once for all, every 30 seconds at most", async () => {
    const { clock, cache, loads, load, fail } = setUp()
    await cache.get(place, load("one"))
    expect(await cache.renew(place, load("two"))).toBe("one")

    clock.now = 30_000
    expect(await Promise.all([1, 2, 3].map(() => cache.renew(place, load("three"))))).toEqual(Array(3).fill("three"))
    clock.now = 60_000
    expect(await cache.renew(place, fail)).toBe("three")
    expect(loads).toEqual(["one", "three"])
  })

  it("that was forgotten while somebody asked is not kept", async () => {
    const { cache, load } = setUp()
    const asking = cache.get(place, load("one"))
    cache.forget(place)

    expect(await asking).toBe("one")
    expect(cache.known(place)).toBeUndefined()
  })
})
