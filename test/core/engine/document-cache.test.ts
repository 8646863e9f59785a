import { describe, expect, it } from "@jest/globals"
import { createDocumentCache } from "../../../src/core/engine/document-cache.js"

const minute = 60 * 1000
const hour = 60 * minute
const url = "https://idp.example/.well-known/openid-configuration"

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

    expect(await cache.get(url, load("one"))).toBe("one")
    clock.now = hour - 1
    expect(await cache.get(url, load("two"))).toBe("one")
    clock.now = hour
    expect(await cache.get(url, load("three"))).toBe("three")
    expect(loads).toEqual(["one", "three"])
  })

  it("is kept for its own address", async () => {
    const { cache, load } = setUp()
    await cache.get(url, load("one"))

    expect(await cache.get(`${url}/other`, load("two"))).toBe("two")
  })

  it("is used for a day when its issuer cannot be reached", async () => {
    const { clock, cache, load, fail } = setUp()
    await cache.get(url, load("one"))

    clock.now = 24 * hour - 1
    expect(await cache.get(url, fail)).toBe("one")
    clock.now = 24 * hour
    await expect(cache.get(url, fail)).rejects.toThrow("connection refused")
  })

  it("that could not be loaded is asked for again at once", async () => {
    const { cache, load, fail } = setUp()
    await expect(cache.get(url, fail)).rejects.toThrow("connection refused")

    expect(await cache.get(url, load("one"))).toBe("one")
  })
})
