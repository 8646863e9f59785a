/** What the compiler says to applications: this file has to compile, and where it says so, must not. */
import { describe, expect, it } from "@jest/globals"
import express, { type NextFunction, type Request, type RequestHandler, type Response } from "express"
import {
  AuthError,
  CredentialsSignin,
  customFetch,
  ExpressAuth,
  getSession,
  requireSession,
  type AuthConfig,
  type AuthMiddleware,
  type Session,
  type User,
} from "latchkey"
import Credentials from "latchkey/providers/credentials"
import GitHub from "latchkey/providers/github"
import { openSite } from "../support/express-site.js"

declare module "latchkey" {
  interface Session {
    /** Set by the session callback below. */
    tenant?: string
  }
  interface User {
    badge?: number
  }
}

/** Whether two types are the same, and not just `any`. */
type Same<A, B> = 0 extends 1 & A ? false : [A, B] extends [B, A] ? true : false

/** A claim that is checked when this file is compiled: `holds(true satisfies Same<typeof id, string>)`. */
function holds(_claim: true): void {
  // Nothing is left to check at run time.
}

const config: AuthConfig = {
  secret: "a secret of this test",
  providers: [
    GitHub,
    GitHub({ id: "github-enterprise", clientId: "id", clientSecret: "secret", [customFetch]: fetch }),
    Credentials({
      credentials: { username: { label: "Name" }, password: { type: "password" } },
      authorize: ({ username, password }, request) => {
        holds(true satisfies Same<typeof username, string | undefined>)
        holds(true satisfies Same<typeof request, globalThis.Request>)
        if (password === "wrong" || request.method !== "POST") throw new CredentialsSignin()
        return username === undefined ? null : { id: "1", name: username, badge: 7 }
      },
    }),
  ],
  callbacks: {
    signIn: ({ user, account }) => user.name !== "nobody" && account?.type === "credentials",
    jwt: ({ token, user }) => (user ? { ...token, badge: user.badge } : token),
    session: ({ session, token }) => ({ ...session, tenant: "acme", user: { ...session.user, id: token.sub } }),
  },
}

describe("types of applications", () => {
  it("the quick start compiles, and works", async () => {
    const app = express()
    const auth = ExpressAuth(config)
    app.use("/auth", auth)
    app.use(auth.session)
    app.get(
      "/account",
      requireSession((req, res) => res.send(`Hello ${req.auth.user?.name}`)),
    )
    const site = await openSite(app)
    const browser = site.browser()

    expect(await browser.get("/account")).toMatchObject({ status: 401 })
    await browser.signIn()
    expect(await browser.get("/account")).toMatchObject({ status: 200, text: "Hello ada" })
  })

  it("a guarded handler has a session, and an ordinary one may have none", async () => {
    const app = express()
    const auth = ExpressAuth(config)
    app.use("/auth", auth)
    app.get("/plain", auth.session, (req, res) => {
      holds(true satisfies Same<typeof req.auth, Session | null>)
      // @ts-expect-error -- nobody may be signed in
      const tenant: unknown = req.auth === null ? "none" : (req.auth.tenant satisfies string)
      res.json({ tenant })
    })
    app.get(
      "/guarded",
      requireSession((req, res) => {
        holds(true satisfies Same<typeof req.auth.tenant, string | undefined>)
        holds(true satisfies Same<typeof req.auth.expires, string>)
        res.json({ tenant: req.auth.tenant, isNull: req.auth === (null as unknown) })
      }),
    )
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    expect((await browser.get("/guarded")).json).toEqual({ tenant: "acme", isNull: false })
    expect((await browser.get("/plain")).json).toEqual({ tenant: "acme" })
  })

  it("a route's parameters are known inside the guard, and after it", async () => {
    const app = express()
    const auth = ExpressAuth(config)
    app.use("/auth", auth)
    app.get(
      "/x/:id",
      requireSession((req, res) => {
        const id: string = req.params.id
        holds(true satisfies Same<typeof req.params.id, string>)
        // @ts-expect-error -- the path has no such parameter
        const other: unknown = req.params.other
        res.json({ id, other: other ?? null })
      }),
    )
    app.get(
      "/y/:id/:part",
      auth.requireSession({ where: ({ tenant }) => tenant === "acme" }, async (req, res: Response) => {
        const { id, part }: { id: string; part: string } = req.params
        res.json({ id, part })
      }),
    )
    app.get("/z/:id", auth.session, requireSession(), (req, res) => {
      const id: string = req.params.id
      res.json({ id })
    })
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    expect((await browser.get("/z/7")).json).toEqual({ id: "7" })
    expect((await browser.get("/x/7")).json).toEqual({ id: "7", other: null })
    expect((await browser.get("/y/7/8")).json).toEqual({ id: "7", part: "8" })
  })

  it("guards go wherever middleware goes", () => {
    const app = express()
    const auth: AuthMiddleware = ExpressAuth(config)
    const middleware: RequestHandler[] = [auth, auth.session, auth.requireSession(), requireSession()]
    const router = express.Router()
    router.use(requireSession({ where: ({ user }) => user?.badge === 7 }))
    router.use("/:id", requireSession(), auth.requireSession({ where: async () => true }))
    app.use("/auth", auth)
    app.all("/things", requireSession(), (_req: Request, res: Response, _next: NextFunction) => void res.end())
    app.route("/route").get(requireSession(), (_req, res) => void res.end())

    expect(middleware.map((each) => typeof each)).toEqual(["function", "function", "function", "function"])
  })

  it("a configuration may be a function of the request, and getSession takes the configuration", () => {
    const lazy = ExpressAuth((req) => ({ ...config, basePath: req.baseUrl }))
    const later = ExpressAuth(async (req: Request) =>
      req.hostname === "a.example" ? config : { ...config, pages: {} },
    )
    const read = async (req: Request): Promise<Session | null> =>
      (await getSession(req, config)) ?? lazy.getSession(req)

    expect([typeof lazy, typeof later, typeof read]).toEqual(["function", "function", "function"])
  })

  it("mistakes do not compile", () => {
    const mistakes: (() => unknown)[] = [
      // @ts-expect-error -- providers are needed
      () => ExpressAuth({}),
      // @ts-expect-error -- a number is no secret
      () => ExpressAuth({ ...config, secret: 7 }),
      // @ts-expect-error -- there is no such strategy
      () => ExpressAuth({ ...config, session: { strategy: "cookie" } }),
      // @ts-expect-error -- the option is called `where`
      () => requireSession({ role: "admin" }),
      // @ts-expect-error -- a session has no such member
      () => requireSession({ where: (session) => session.nothing === 1 }),
      // @ts-expect-error -- a badge is a number
      (): User => ({ badge: "7" }),
      // @ts-expect-error -- the configuration is needed
      (req: Request) => getSession(req),
    ]

    expect(mistakes).toHaveLength(7)
  })

  it("errors are recognised by class and by type", () => {
    const error: AuthError = new CredentialsSignin("no", { cause: { err: new Error("why") } })
    const own = new (class extends CredentialsSignin {
      override code = "locked_out"
    })()

    expect(error).toBeInstanceOf(AuthError)
    expect([error.type, own.type, own.code]).toEqual(["CredentialsSignin", "CredentialsSignin", "locked_out"])
    expect(error.cause?.err?.message).toBe("why")
  })
})
