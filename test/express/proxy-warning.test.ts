/** A proxy that ends TLS, in front of an app that does not trust it: told once, with the line to add. */
import { describe, expect, it } from "@jest/globals"
import { createApp } from "../support/express-apps.js"
import { setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

const forwarded = { "x-forwarded-proto": "https" } as const

describe.each(expressVersions)("an untrusted proxy on $version", ({ express }) => {
  it("is told of once", async () => {
    const { site, warned } = await openWarning(express, {})

    await site.ask("/auth/session")
    await site.ask("/auth/session", { headers: forwarded })
    await site.ask("/auth/signin", { headers: forwarded })

    expect(warned).toEqual(["proxy-not-trusted"])
  })

  it("is not told of when it is trusted", async () => {
    const { site, warned } = await openWarning(express, {}, true)

    await site.ask("/auth/session", { headers: forwarded })

    expect(warned).toEqual([])
  })

  it("is not told of when AUTH_URL decides", async () => {
    const { site, warned } = await openWarning(express, { AUTH_URL: "https://app.example/auth" })

    await site.ask("/auth/session", { headers: forwarded })

    expect(warned).toEqual([])
  })
})

async function openWarning(express: ExpressVersion["express"], env: Readonly<Record<string, string>>, trust = false) {
  const warned: string[] = []
  const logger = { warn: (code: string) => void warned.push(code) }
  const app = createApp(express, setUp(env).auth({ logger }))
  app.set("trust proxy", trust)
  return { site: await openSite(app), warned }
}
