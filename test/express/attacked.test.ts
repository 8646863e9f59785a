/** Behaviour that attacks on the Express package have found wanting, and that was mended. */
import { describe, expect, it } from "@jest/globals"
import { createExpressAuth } from "../../src/express/express-auth.js"
import { oidcAt } from "../support/core-flow.js"
import { createApp } from "../support/express-apps.js"
import { setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions } from "../support/express-versions.js"
import { FaultyProvider } from "../../src/testing/faulty-provider.js"

describe.each(expressVersions)("on $version", ({ express, wildcards }) => {
  it.each(wildcards)("answers a path of 15 000 slashes below %s with 404", async (path) => {
    const app = express()
    app.use(path, setUp().auth())
    const site = await openSite(app)

    expect((await site.ask(`/auth${"/".repeat(15_000)}x`)).status).toBe(404)
  })

  it.each(["/auth//callback/credentials", "/auth/callback//credentials", "//auth/callback/credentials"])(
    "leaves a path with an empty segment to the application: POST %s",
    async (path) => {
      const app = createApp(express, setUp().auth())
      app.use((_req, res) => void res.status(404).send("nothing of the application"))
      const browser = (await openSite(app)).browser()
      const csrfToken = await browser.csrf()

      const { status, text, setCookies } = await browser.post(path, { csrfToken, username: "ada" })

      expect([status, text]).toEqual([404, "nothing of the application"])
      expect(setCookies).toEqual([])
    },
  )

  it("completes a callback once, although the configuration is made anew for every request", async () => {
    const { config, ports } = setUp()
    const idp = new FaultyProvider()
    const auth = createExpressAuth(() => config({ providers: [oidcAt(idp)] }), {
      ...ports,
      now: () => Date.now(),
      fetch: idp.fetch,
    })
    const site = await openSite(createApp(express, auth))
    const [first, second] = [site.browser(), site.browser()]
    const started = await first.post("/auth/signin/idp", { csrfToken: await first.csrf() })
    const { pathname, search } = idp.approve(started.location)
    first.cookies.forEach((value, name) => second.cookies.set(name, value))

    await first.get(pathname + search)
    await second.get(pathname + search)

    expect(idp.count("token")).toBe(1)
    expect((await first.get("/me")).json).not.toBeNull()
    expect((await second.get("/me")).json).toBeNull()
  })

  it.each(["yes", 1, {}, [], "true"])("refuses whoever `where` answers %j for", async (answer) => {
    const auth = setUp().auth()
    const app = createApp(express, auth)
    app.get("/admin", auth.requireSession({ where: () => answer as never }), (_req, res) => void res.send("hello"))
    app.get("/later", auth.requireSession({ where: () => Promise.resolve(answer) as never }), (_req, res) => {
      res.send("hello")
    })
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    for (const path of ["/admin", "/later"]) {
      const { status, text } = await browser.get(path)
      expect(status).toBe(403)
      expect(text).not.toContain("hello")
    }
  })
})
