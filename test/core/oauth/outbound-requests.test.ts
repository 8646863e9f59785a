/** What issuers are asked, and how often: a second sign-in asks for no metadata and no keys. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { Request } from "express"
import express from "express"
import { compiledFor } from "../../../src/core/auth.js"
import { customFetch } from "../../../src/core/symbols.js"
import { createExpressAuth } from "../../../src/express/express-auth.js"
import { openBrowser, testPorts } from "../../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../../support/core-clock.js"
import { oidcAt, openSite, signIn, type Site } from "../../support/core-flow.js"
import { openSite as openExpressSite } from "../../support/express-site.js"
import { FaultyProvider } from "../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

/** What was asked since the last call, in order. */
function newlyAsked({ requests }: FaultyProvider): readonly string[] {
  return requests.splice(0).map(({ endpoint }) => endpoint)
}

async function enter(site: Pick<Site, "another" | "idp">, provider = "idp"): Promise<void> {
  const browser = site.another()
  await browser.get(site.idp.approve(await browser.start(provider)).href)
  expect(await browser.session()).not.toBeNull()
}

describe("a sign-in with an issuer that is known", () => {
  it("asks for tokens alone", async () => {
    const site = openSite()

    await enter(site)
    expect(newlyAsked(site.idp)).toEqual(["discovery", "token", "jwks"])

    for (const seconds of [0, 61, 239, 299]) {
      advanceClock(seconds)
      await enter(site)
      expect(newlyAsked(site.idp)).toEqual(["token"])
    }
  })

  it("asks for keys again after ten minutes, and for metadata after an hour", async () => {
    const site = openSite()
    await enter(site)
    newlyAsked(site.idp)

    advanceClock(601)
    await enter(site)
    expect(newlyAsked(site.idp)).toEqual(["token", "jwks"])

    advanceClock(3000)
    await enter(site)
    expect(newlyAsked(site.idp)).toEqual(["discovery", "token", "jwks"])
  })

  it("asks for tokens and the profile alone, where that is not in the ID token", async () => {
    const site = openSite((idp) => oidcAt(idp, { idToken: false }))
    await enter(site)
    newlyAsked(site.idp)

    await enter(site)

    expect(newlyAsked(site.idp)).toEqual(["token", "userinfo"])
  })

  it("asks for tokens alone by another provider of the same issuer", async () => {
    const site = openSite((idp) => [oidcAt(idp, { id: "staff" }), oidcAt(idp, { id: "guests" })])
    await enter(site, "staff")
    newlyAsked(site.idp)

    await enter(site, "guests")

    expect(newlyAsked(site.idp)).toEqual(["token"])
  })

  it("asks by a fetch of its own for itself: what that was told is for nobody else", async () => {
    const idp = new FaultyProvider()
    const own = {
      ...oidcAt(idp, { id: "own" }),
      [customFetch]: (...given: Parameters<typeof fetch>) => idp.fetch(...given),
    }
    const site = openSite(() => [oidcAt(idp), own], {}, {}, idp)
    await enter(site)
    newlyAsked(idp)

    await enter(site, "own")

    expect(newlyAsked(idp)).toEqual(["discovery", "token", "jwks"])
  })

  it("asks where the metadata was found, and not first where it was not", async () => {
    const idp = new FaultyProvider()
    const wellKnown = "https://idp.example/wrong"
    const site = openSite(() => oidcAt(idp, { wellKnown }), {}, {}, idp)
    await enter(site)
    expect(newlyAsked(idp)).toEqual(["other", "discovery", "token", "jwks"])

    advanceClock(300)
    await enter(site)

    expect(newlyAsked(idp)).toEqual(["token"])
  })

  it("asks for tokens alone after somebody has come with a key that nobody knows", async () => {
    const site = openSite()
    await enter(site)
    advanceClock(31)
    site.idp.faults = { header: (header) => ({ ...header, kid: "unknown" }) }
    await signIn({ ...site, browser: site.another() })
    expect(newlyAsked(site.idp)).toEqual(["discovery", "token", "jwks", "token", "jwks"])
    site.idp.faults = {}

    await enter(site)

    expect(newlyAsked(site.idp)).toEqual(["token"])
  })
})

describe("a configuration that is another object each time", () => {
  it("asks for tokens alone, on what the ports keep", async () => {
    const site = openSite()
    const ports = testPorts({ fetch: site.idp.fetch })
    const another = () => {
      const config = { ...site.config, providers: [oidcAt(site.idp)] }
      compiledFor(config, ports)
      return openBrowser(config, ports)
    }
    await enter({ ...site, another })
    newlyAsked(site.idp)

    await enter({ ...site, another })

    expect(newlyAsked(site.idp)).toEqual(["token"])
  })

  it("asks for tokens alone under Express", async () => {
    const idp = new FaultyProvider()
    const ports = { env: {}, now: () => Date.now(), fetch: idp.fetch }
    const fresh = (_req: Request) => ({ secret: "a secret of this test", providers: [oidcAt(idp)] })
    const app = express().use("/auth", createExpressAuth(fresh, ports))
    const site = await openExpressSite(app)

    for (const expected of [["discovery", "token", "jwks"], ["token"]]) {
      const browser = site.browser()
      const started = await browser.post("/auth/signin/idp", { csrfToken: await browser.csrf() })
      const { pathname, search } = idp.approve(started.location)
      await browser.get(pathname + search)

      expect((await browser.get("/auth/session")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
      expect(newlyAsked(idp)).toEqual(expected)
    }
  })
})
