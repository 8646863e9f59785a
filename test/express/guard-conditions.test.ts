/** `requireSession({ where })`: who may pass of those who are signed in. */
import { describe, expect, it } from "@jest/globals"
import type { AuthConfig, Session } from "../../src/index.js"
import { catchErrors } from "../support/express-apps.js"
import { setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

type Where = (session: Session) => boolean | PromiseLike<boolean>

const isAda: Where = ({ user }) => user?.name === "Ada Lovelace"

/** What Express takes for "go on" when it is given to `next`. */
const harmless: readonly unknown[] = [undefined, null, "", "route"]

describe.each(expressVersions)("a guard's condition on $version", ({ express }) => {
  it.each([
    ["a plain condition", isAda],
    ["an asynchronous condition", async (session: Session) => isAda(session)],
  ])("lets through whom %s accepts, and nobody else", async (_description, where) => {
    const { site } = await openGuarded(express, where)
    const [ada, grace] = [site.browser(), site.browser()]
    await ada.signIn({ username: "ada" })
    await grace.signIn({ username: "grace" })

    expect(await ada.get("/admin")).toMatchObject({ status: 200, text: "welcome" })
    expect(await grace.get("/admin")).toMatchObject({
      status: 403,
      headers: { "content-type": "application/problem+json", "cache-control": expect.stringContaining("no-store") },
      json: { title: "Forbidden", status: 403 },
    })
    expect(await site.ask("/admin")).toMatchObject({ status: 401 })
  })

  it("shows whoever may not pass a page, when they are looking at one", async () => {
    const { site } = await openGuarded(express, () => false)
    const browser = site.browser({ accept: "text/html" })
    await browser.signIn()

    const reply = await browser.get("/admin")

    expect(reply).toMatchObject({ status: 403, headers: { "content-type": "text/html; charset=utf-8" } })
    expect(reply.text).toContain("Access denied")
    // A sign-in with another account would link it to this one.
    const again = encodeURIComponent(`${site.origin}/auth/signin?callbackUrl=%2Fadmin`)
    expect(reply.text).toContain(`href="${site.origin}/auth/signout?callbackUrl=${again}"`)
    expect(reply.text).not.toContain(">Sign in<")
    expect(reply.headers["content-security-policy"]).toContain("default-src 'none'")
  })

  it("sends whoever may not pass to pages.error, when they are looking at a page", async () => {
    const { site } = await openGuarded(express, () => false, { pages: { error: "/oops" } })
    const browser = site.browser()
    await browser.signIn()

    expect(await browser.get("/admin", { accept: "text/html" })).toMatchObject({
      status: 302,
      location: `${site.origin}/oops?error=AccessDenied`,
    })
    expect(await browser.get("/admin")).toMatchObject({ status: 403 })
  })

  it("asks the condition once, with the session that the route will see", async () => {
    const seen: Session[] = []
    const { site } = await openGuarded(express, (session) => seen.push(session) > 0)
    const browser = site.browser()
    await browser.signIn()

    await browser.get("/admin")

    expect(seen).toMatchObject([{ user: { name: "Ada Lovelace", email: "ada@example.com" } }])
  })

  it("does not ask the condition about people who are signed out", async () => {
    const seen: Session[] = []
    const { site } = await openGuarded(express, (session) => seen.push(session) > 0)

    await site.ask("/admin")

    expect(seen).toEqual([])
  })

  it("hands what a condition throws to the error middleware, unchanged", async () => {
    const error = new Error("roles are out of reach")
    const { site, caught } = await openGuarded(express, () => {
      throw error
    })
    const browser = site.browser()
    await browser.signIn()

    const reply = await browser.get("/admin")

    expect(reply).toMatchObject({ status: 500, json: { caught: true } })
    expect(caught).toEqual([error])
    expect(caught[0]).toBe(error)
    expect((await browser.get("/auth/session")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it.each(harmless)("lets nobody through when the condition throws or rejects with %p", async (value) => {
    const conditions: readonly Where[] = [
      () => {
        throw value
      },
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- applications do reject without an error
      () => Promise.reject(value),
    ]
    for (const where of conditions) {
      const auth = setUp().auth()
      const app = express()
      app.use("/auth", auth)
      app.use("/admin", auth.requireSession({ where }))
      app.get("/admin", (_req, res) => void res.send("welcome"))
      app.use(catchErrors().middleware)
      const browser = (await openSite(app)).browser()
      await browser.signIn()

      expect(await browser.get("/admin")).toMatchObject({ status: 500, json: { caught: true } })
    }
  })

  it("combines with other guards", async () => {
    const auth = setUp().auth()
    const app = express()
    app.use("/auth", auth)
    app.use(auth.requireSession())
    app.get(
      "/admin",
      [auth.requireSession({ where: isAda })],
      (_req: unknown, res: { send(text: string): unknown }) => {
        res.send("welcome")
      },
    )
    const browser = (await openSite(app)).browser()

    expect(await browser.get("/admin")).toMatchObject({ status: 401 })
    await browser.signIn({ username: "grace" })
    expect(await browser.get("/admin")).toMatchObject({ status: 403 })
    await browser.signOut()
    await browser.signIn({ username: "ada" })
    expect(await browser.get("/admin")).toMatchObject({ status: 200 })
  })
})

async function openGuarded(express: ExpressVersion["express"], where: Where, overrides?: Partial<AuthConfig>) {
  const auth = setUp().auth(overrides)
  const { caught, middleware } = catchErrors()
  const app = express()
  app.use("/auth", auth)
  app.get("/admin", auth.requireSession({ where }), (_req, res) => void res.send("welcome"))
  app.use(middleware)
  return { site: await openSite(app), caught }
}
