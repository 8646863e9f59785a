/** `requireSession(handler)`: the guard and the route in one. */
import { describe, expect, it } from "@jest/globals"
import type { Express } from "express"
import { requireSession } from "../../src/index.js"
import { catchErrors } from "../support/express-apps.js"
import { setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

describe.each(expressVersions)("a guarded handler on $version", ({ express }) => {
  it("runs for whoever is signed in, with their session and the route's parameters", async () => {
    const { site } = await openApp(express, (app) =>
      app.get(
        "/things/:id",
        requireSession((req, res) => {
          const { params, query }: { readonly params: unknown; readonly query: unknown } = req
          res.json({ name: req.auth.user?.name, params, query })
        }),
      ),
    )
    const browser = site.browser()

    expect(await browser.get("/things/7?q=x")).toMatchObject({ status: 401 })
    await browser.signIn()
    expect((await browser.get("/things/7?q=x")).json).toEqual({
      name: "Ada Lovelace",
      params: { id: "7" },
      query: { q: "x" },
    })
  })

  it("takes a condition before the handler", async () => {
    const { site } = await openApp(express, (app) =>
      app.get(
        "/things/:id",
        requireSession(
          { where: ({ user }) => user?.name === "Grace Hopper" },
          (_req, res) => void res.send("for Grace"),
        ),
      ),
    )
    const browser = site.browser()

    await browser.signIn({ username: "ada" })
    expect(await browser.get("/things/7")).toMatchObject({ status: 403 })
    await browser.signOut()
    await browser.signIn({ username: "grace" })
    expect(await browser.get("/things/7")).toMatchObject({ status: 200, text: "for Grace" })
  })

  it("may call next", async () => {
    const { site } = await openApp(express, (app) =>
      app.get(
        "/things/:id",
        requireSession((_req, _res, next) => next()),
      ),
    )
    const browser = site.browser()
    await browser.signIn()

    expect(await browser.get("/things/7")).toMatchObject({ status: 200, text: "the next handler" })
  })

  const failure = new Error("the handler failed")
  const handlers: readonly (readonly [description: string, fail: (next: (error: unknown) => void) => unknown])[] = [
    [
      "throws",
      () => {
        throw failure
      },
    ],
    ["rejects", () => Promise.reject(failure)],
    ["rejects later", () => new Promise((_resolve, reject) => setImmediate(() => reject(failure)))],
    ["hands an error to next", (next) => next(failure)],
  ]

  it.each(handlers)("passes an error to the error middleware when it %s", async (_description, fail) => {
    const { site, caught } = await openApp(express, (app) =>
      app.get(
        "/things/:id",
        requireSession((_req, _res, next) => fail(next)),
      ),
    )
    const browser = site.browser()
    await browser.signIn()

    expect(await browser.get("/things/7")).toMatchObject({ status: 500, json: { caught: true } })
    expect(caught).toEqual([failure])
  })

  it.each([undefined, null])("does not go on when the handler rejects with %p", async (value) => {
    const { site } = await openApp(express, (app) =>
      app.get(
        "/things/:id",
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- applications do reject without an error
        requireSession(() => Promise.reject(value)),
      ),
    )
    const browser = site.browser()
    await browser.signIn()

    expect(await browser.get("/things/7")).toMatchObject({ status: 500, json: { caught: true } })
  })
})

async function openApp(express: ExpressVersion["express"], addRoute: (app: Express) => unknown) {
  const { caught, middleware } = catchErrors()
  const app = express()
  app.use("/auth", setUp().auth())
  addRoute(app)
  app.get("/things/:id", (_req, res) => void res.send("the next handler"))
  app.use(middleware)
  return { site: await openSite(app), caught }
}
