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
})
