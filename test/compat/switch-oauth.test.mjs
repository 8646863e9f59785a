/** The switch, while people are on their way to a vendor and back. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { customFetch } from "@auth/core"
import GitHub from "@auth/core/providers/github"
import Google from "@auth/core/providers/google"
import LinkedIn from "@auth/core/providers/linkedin"
import { authJsApp, configuration, latchkeyApp, switches } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openVendor, replaceFetch } from "./support/fake-vendor.mjs"
import { openSite } from "./support/site.mjs"

const vendors = {
  github: () =>
    openVendor({
      token: "https://github.com/login/oauth/access_token",
      resources: { "https://api.github.com/user": { id: 7, login: "ann", email: "ann@example.com" } },
    }),
  google: () => openVendor({ issuer: "https://accounts.google.com", claims: { sub: "7", name: "ann" } }),
  linkedin: () => openVendor({ issuer: "https://www.linkedin.com/oauth", claims: { sub: "7", name: "ann" } }),
}
const factories = { github: GitHub, google: Google, linkedin: LinkedIn }

/** A site, a browser and a vendor; `config` makes a configuration with that vendor alone. */
async function prepare(t, name, app) {
  const vendor = vendors[name]()
  replaceFetch(t, vendor.fetch)
  const options = { clientId: "client1", clientSecret: "secret1", [customFetch]: vendor.fetch }
  const config = () => configuration({ providers: [factories[name](options)] })
  const site = await openSite(t, app(config()))
  const browser = openBrowser(site)
  const consent = (location) => `/auth/callback/${name}?${new URLSearchParams(vendor.consent(location).answer)}`
  const start = async () => {
    const { location } = await browser.submit(`/auth/signin/${name}`, { callbackUrl: "/cart" })
    return consent(location)
  }
  return { site, browser, start, config, consent }
}

for (const { title, from, to } of switches) {
  describe(`A switch ${title}`, () => {
    for (const name of Object.keys(factories)) {
      it(`keeps whoever signed in with ${name}`, async (t) => {
        const { site, browser, start, config } = await prepare(t, name, from)
        assert.equal((await browser.get(await start())).location, `${site.origin}/cart`)
        site.deploy(to(config()))
        assert.equal((await browser.session()).user.name, "ann")
      })

      it(`lets somebody who was on the way to ${name} begin again, and finish`, async (t) => {
        const { site, browser, start, config } = await prepare(t, name, from)
        const back = await start()
        site.deploy(to(config()))
        await browser.get(back)
        assert.equal((await browser.get(await start())).location, `${site.origin}/cart`)
        assert.equal((await browser.session()).user.name, "ann")
      })
    }
  })
}

describe("A sign-in that Auth.js has begun", () => {
  for (const name of Object.keys(factories)) {
    it(`is begun again by Latchkey, by itself: ${name} (differs: it has no state that tells flows apart)`, async (t) => {
      const { site, browser, start, config, consent } = await prepare(t, name, authJsApp)
      const back = await start()
      site.deploy(latchkeyApp(config()))
      const again = consent((await browser.get(back)).location)
      assert.equal((await browser.get(again)).location, `${site.origin}/cart`)
      assert.equal((await browser.session()).user.name, "ann")
    })
  }

  it("signs nobody in when its code comes to another browser", async (t) => {
    for (const name of Object.keys(factories)) {
      const { site, start, config } = await prepare(t, name, authJsApp)
      const back = await start()
      site.deploy(latchkeyApp(config()))
      const other = openBrowser(site)
      assert.match((await other.get(back)).location, /\/auth\/error\?error=Configuration$/)
      assert.equal(await other.session(), null)
    }
  })
})

describe("A sign-in that Latchkey has begun", () => {
  it("ends on the error page of Auth.js (differs: each tab has cookies of its own, which Auth.js does not know)", async (t) => {
    for (const name of Object.keys(factories)) {
      const { site, browser, start, config } = await prepare(t, name, latchkeyApp)
      const back = await start()
      site.deploy(authJsApp(config()))
      assert.equal((await browser.get(back)).location, `${site.origin}/auth/error?error=Configuration`)
      assert.equal(await browser.session(), null)
    }
  })
})
