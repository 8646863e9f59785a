/** Every way in which `@auth/express` is mounted, and the ways that its readme shows and Express 5 refuses. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { ExpressAuth as AuthJs, getSession as getSessionOfAuthJs } from "@auth/express"
import express5 from "express"
import express4 from "express4"
import { ExpressAuth, getSession, requireSession } from "latchkey"
import { configuration } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openSite } from "./support/site.mjs"

const versions = { "Express 4": express4, "Express 5": express5 }

const below = (prefix) => (express, app, auth) => {
  const router = express.Router()
  router.use("/auth", auth)
  app.use(prefix, router)
}

/** `worksIn` names the versions in which Auth.js works when mounted like that. */
const mounts = [
  {
    title: 'app.use("/auth")',
    base: "/auth",
    worksIn: ["Express 4", "Express 5"],
    mount: (_, app, auth) => app.use("/auth", auth),
  },
  {
    title: 'app.use("/auth/")',
    base: "/auth",
    worksIn: ["Express 4", "Express 5"],
    mount: (_, app, auth) => app.use("/auth/", auth),
  },
  {
    title: 'app.use("/auth/*")',
    base: "/auth",
    only: "Express 4",
    worksIn: ["Express 4"],
    mount: (_, app, auth) => app.use("/auth/*", auth),
  },
  {
    title: 'app.use("/auth/*splat")',
    base: "/auth",
    only: "Express 5",
    worksIn: [],
    mount: (_, app, auth) => app.use("/auth/*splat", auth),
  },
  {
    title: 'app.use("/auth/{*any}")',
    base: "/auth",
    only: "Express 5",
    worksIn: [],
    mount: (_, app, auth) => app.use("/auth/{*any}", auth),
  },
  {
    title: 'app.use("/api/auth")',
    base: "/api/auth",
    worksIn: ["Express 4", "Express 5"],
    mount: (_, app, auth) => app.use("/api/auth", auth),
  },
  { title: "a router", base: "/v1/auth", worksIn: ["Express 4", "Express 5"], mount: below("/v1") },
  {
    title: "a wildcard in a router",
    base: "/v1/auth",
    only: "Express 4",
    worksIn: ["Express 4"],
    mount: (express, app, auth) => app.use("/v1", express.Router().use("/auth/*", auth)),
  },
  {
    title: "an application in an application",
    base: "/sub/auth",
    worksIn: ["Express 4", "Express 5"],
    mount: (express, app, auth) => app.use("/sub", express().use("/auth", auth)),
  },
  {
    title: "a path with a parameter",
    base: "/acme/auth",
    worksIn: ["Express 4", "Express 5"],
    mount: (_, app, auth) => app.use("/:tenant/auth", auth),
  },
  {
    title: "behind body parsers of the application",
    base: "/auth",
    worksIn: ["Express 4", "Express 5"],
    mount: (express, app, auth) => app.use(express.json(), express.urlencoded({ extended: false })).use("/auth", auth),
  },
]

/** Signs in below `base`, reads the session and signs out; tells what happened. */
async function visit(browser, base) {
  const csrf = await browser.get(`${base}/csrf`)
  if (csrf.status !== 200) return { csrf: csrf.status }
  const { csrfToken } = csrf.json
  const fields = { csrfToken, username: "ann", password: "correct", callbackUrl: "/home" }
  const signedIn = await browser.post(`${base}/callback/credentials`, fields)
  const providers = await browser.get(`${base}/providers`)
  const session = await browser.get(`${base}/session`)
  const signInPage = await browser.get(`${base}/signin`)
  const refused = await browser.post(`${base}/signin/github`, {})
  const started = await browser.post(`${base}/signin/github`, { csrfToken })
  const signedOut = await browser.post(`${base}/signout`, { csrfToken })
  return {
    csrf: csrf.status,
    signedIn: [signedIn.status, signedIn.location],
    addresses: providers.json?.github,
    user: session.json?.user,
    forms: [...signInPage.text.matchAll(/action="([^"]*)"/g)].map(([, action]) => action),
    refused: refused.location,
    redirectUri: new URL(started.location).searchParams.get("redirect_uri"),
    signedOut: signedOut.status,
  }
}

function withoutPort(value, { origin }) {
  return JSON.parse(JSON.stringify(value).replaceAll(origin, "{origin}"))
}

for (const [version, express] of Object.entries(versions)) {
  describe(`With ${version}`, () => {
    for (const { title, base, worksIn, mount } of mounts.filter(({ only = version }) => only === version)) {
      const open = async (t, auth) => {
        const app = express()
        mount(express, app, auth)
        return openSite(t, app)
      }
      const asAuthJs = worksIn.includes(version)

      it(`${title} ${asAuthJs ? "works as in Auth.js" : "works (differs: in Auth.js it does not)"}`, async (t) => {
        const site = await open(t, ExpressAuth(configuration()))
        const ours = withoutPort(await visit(openBrowser(site), base), site)
        assert.deepEqual(ours.signedIn, [302, "{origin}/home"])
        assert.equal(ours.user.name, "Ann")
        assert.equal(ours.redirectUri, `{origin}${base}/callback/github`)

        const theirSite = await open(t, AuthJs(configuration()))
        const theirs = withoutPort(await visit(openBrowser(theirSite), base), theirSite)
        if (asAuthJs) assert.deepEqual(ours, theirs)
        else assert.deepEqual(theirs, { csrf: 400 })
      })
    }

    it("leaves other paths to the application", async (t) => {
      const app = express()
      app.use("/auth", ExpressAuth(configuration()))
      app.use((req, res) => res.status(418).send(req.originalUrl))
      const browser = openBrowser(await openSite(t, app))
      for (const path of ["/", "/authsession", "/auth/other", "/other/auth/session"]) {
        const { status, text } = await browser.get(path)
        assert.deepEqual([status, text], [418, path])
      }
    })

    it("runs the same application on either package, by its imports alone", async (t) => {
      const run = async (imports) => {
        const config = configuration()
        const app = express()
        app.set("trust proxy", true)
        app.use("/auth", imports.ExpressAuth(config))
        app.get("/", async (req, res) => {
          res.json({ session: await imports.getSession(req, config) })
        })
        app.use("/private", async (req, res, next) => {
          res.locals.session = await imports.getSession(req, config)
          if (res.locals.session) next()
          else res.redirect("/auth/signin")
        })
        app.get("/private/page", (req, res) => {
          res.send(`Hello ${res.locals.session.user.name}`)
        })
        const browser = openBrowser(await openSite(t, app))
        const before = [await browser.get("/"), await browser.get("/private/page")]
        await browser.signIn()
        const after = [await browser.get("/"), await browser.get("/private/page")]
        return [...before, ...after].map(({ status, location, text }) => ({
          status,
          location,
          text: text.replace(/"expires":"[^"]*"/, '"expires":"date"'),
        }))
      }
      const theirs = await run({ ExpressAuth: AuthJs, getSession: getSessionOfAuthJs })
      const ours = await run({ ExpressAuth, getSession })
      assert.deepEqual(ours, theirs)
      assert.equal(ours[3].text, "Hello Ann")
    })

    for (const { title, base, mount } of mounts.filter(({ only = version }) => only === version)) {
      it(`guards routes of an application that mounts it like this: ${title}`, async (t) => {
        const app = express().set("env", "test")
        mount(express, app, ExpressAuth(configuration()))
        app.get(
          "/account",
          requireSession((req, res) => void res.send(req.auth.user.name)),
        )
        const browser = openBrowser(await openSite(t, app))
        const { csrfToken } = (await browser.get(`${base}/csrf`)).json
        await browser.post(`${base}/callback/credentials`, { csrfToken, username: "ann", password: "correct" })
        const { status, text } = await browser.get("/account")
        assert.deepEqual([status, text], [200, "Ann"])
      })
    }
  })
}

describe("Behind a proxy", () => {
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "app.example" }

  it("that Express trusts, addresses are the public ones, as in Auth.js", async (t) => {
    for (const make of [AuthJs, ExpressAuth]) {
      const app = express5().set("trust proxy", true).use("/auth", make(configuration()))
      const { github } = (await openBrowser(await openSite(t, app), headers).get("/auth/providers")).json
      assert.match(github.callbackUrl, /^https:/)
    }
  })

  it("that Express does not trust, they are not", async (t) => {
    for (const make of [AuthJs, ExpressAuth]) {
      const site = await openSite(t, express5().use("/auth", make(configuration())))
      const { github } = (await openBrowser(site, headers).get("/auth/providers")).json
      assert.equal(github.callbackUrl, `${site.origin}/auth/callback/github`)
    }
  })
})
