import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const reads = ["providers", "csrf", "session", "signin", "signout", "verify-request", "error"]

describe("A-037: no answer may be kept or shared", () => {
  it.each(reads)("GET %s, signed out and signed in", async (path) => {
    const { browser } = openPeople()
    const signedOut = await browser.get(path)
    await enter(browser)
    const signedIn = await browser.get(path)

    for (const { headers } of [signedOut, signedIn]) {
      expect(headers.get("cache-control")).toBe("private, no-cache, no-store")
      expect(headers.get("expires")).toBe("0")
      expect(headers.get("pragma")).toBe("no-cache")
      expect(headers.get("vary")).toBe("Cookie")
    }
  })

  it.each(["signin/credentials", "signout", "callback/credentials", "session"])("POST %s", async (path) => {
    const { browser } = openPeople()

    const { headers } = await browser.submit(path, { name: "ann" })

    expect(headers.get("cache-control")).toBe("private, no-cache, no-store")
    expect(headers.get("vary")).toBe("Cookie")
  })

  it.each(["signin", "signout", "session"])("nor a refused POST %s", async (path) => {
    const { browser } = openPeople()

    const { headers } = await browser.post(path)

    expect(headers.get("cache-control")).toBe("private, no-cache, no-store")
  })
})

describe("A-108: a built-in page", () => {
  it.each(["signin", "signout", "error", "error?error=Configuration", "verify-request"])(
    "can neither be framed nor load anything foreign: %s",
    async (path) => {
      const { browser } = openPeople()

      const response = await browser.get(path)
      const policy = response.headers.get("content-security-policy") ?? ""
      const nonce = /style-src 'nonce-([0-9a-f]{32})'/.exec(policy)?.[1]

      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
      expect(response.headers.get("x-content-type-options")).toBe("nosniff")
      expect(response.headers.get("x-frame-options")).toBe("DENY")
      expect(response.headers.get("referrer-policy")).toBe("same-origin")
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("base-uri 'none'")
      expect(policy).toContain("form-action 'self'")
      expect(await response.text()).toContain(`<style nonce="${nonce}">`)
    },
  )

  it("has another nonce each time", async () => {
    const { browser } = openPeople()

    const policies = await Promise.all(
      [1, 2].map(async () => (await browser.get("signin")).headers.get("content-security-policy")),
    )

    expect(policies[0]).not.toBe(policies[1])
  })
})
