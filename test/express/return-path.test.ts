/** A sign-in ends at the page it was begun for, wherever the application is mounted and whatever stands before it. */
import { describe, expect, it } from "@jest/globals"
import type { Express } from "express"
import type { OutgoingHttpHeaders } from "node:http"
import { createExpressAuth, type AuthMiddleware } from "../../src/express/express-auth.js"
import { requireSession, type AuthConfig } from "../../src/index.js"
import { clientId, clientSecret, FaultyProvider } from "../../src/testing/faulty-provider.js"
import type { Browser } from "../support/express-browser.js"
import { setUp } from "../support/express-setup.js"
import { openSite, type Reply } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

interface Arrangement {
  readonly name: string
  /** Base path inside the application. Default `/auth`. */
  readonly base?: string
  /** What a proxy in front cuts off the path. */
  readonly cutOff?: string
  readonly env?: Readonly<Record<string, string>>
  readonly headers?: OutgoingHttpHeaders
  readonly config?: Partial<AuthConfig>
  readonly mount?: (express: ExpressVersion["express"], app: Express, auth: AuthMiddleware) => void
  /** Public address of the application. */
  readonly address: string
}

const app = "http://app.example"
const arrangements: readonly Arrangement[] = [
  { name: "at /auth", address: app },
  { name: "at a deep path", base: "/api/v1/auth", address: app },
  {
    name: "in a router of its own",
    base: "/tenant/auth",
    // Guards cannot see through a router whose mount path they have not met.
    config: { basePath: "/tenant/auth" },
    mount: (express, outer, auth) => outer.use("/tenant", express.Router().use("/auth", auth)),
    address: app,
  },
  { name: "with a sign-in page of the application's own", config: { pages: { signIn: "/login" } }, address: app },
  {
    name: "with a sign-in page of its own that has a query",
    config: { pages: { signIn: "/login?theme=dark" } },
    base: "/api/auth",
    address: app,
  },
  {
    name: "behind a proxy that Express trusts",
    headers: { host: "inside:3000", "x-forwarded-host": "app.example", "x-forwarded-proto": "https" },
    address: "https://app.example",
  },
  {
    name: "behind a proxy, with AUTH_URL",
    env: { AUTH_URL: "https://www.example" },
    headers: { host: "inside:3000" },
    address: "https://www.example",
  },
  {
    name: "behind a proxy that cuts a prefix off, with a path in AUTH_URL",
    env: { AUTH_URL: "https://www.example/shop/auth" },
    cutOff: "/shop",
    headers: { host: "inside:3000" },
    address: "https://www.example/shop",
  },
  {
    name: "behind such a proxy, with a sign-in page of its own",
    env: { AUTH_URL: "https://www.example/shop/auth" },
    cutOff: "/shop",
    headers: { host: "inside:3000" },
    config: { pages: { signIn: "/shop/login" } },
    address: "https://www.example/shop",
  },
]

describe.each(expressVersions)("on $version", ({ express }) => {
  describe.each(arrangements)("$name", (arrangement) => {
    it("a sign-in ends at the page it was begun for", async () => {
      const { visit, idp, wanted } = await open(express, arrangement)

      const end = await visit(idp.approve(await visit.toProvider()))

      expect(end.location).toBe(wanted)
      expect(await visit(end.location)).toMatchObject({ status: 200, text: "account of Ada Lovelace" })
    })

    it("so it does when every cookie was lost on the way", async () => {
      const { visit, idp, wanted, browser } = await open(express, arrangement)
      const callback = idp.approve(await visit.toProvider())
      browser.cookies.clear()

      const restarted = await visit(callback)
      const end = await visit(idp.approve(restarted.location))

      expect(end.location).toBe(wanted)
      expect(await visit(end.location)).toMatchObject({ status: 200 })
    })

    it("so it does for whoever said no first", async () => {
      const { visit, idp, wanted } = await open(express, arrangement)
      const refused = await visit(idp.refuse(await visit.toProvider()))

      const end = await visit(idp.approve(await visit.byForm(refused.location)))

      expect(refused.location).toContain("error=OAuthCallbackError")
      expect(end.location).toBe(wanted)
    })

    it("and the back button leads there, too", async () => {
      const { visit, idp, wanted } = await open(express, arrangement)
      const callback = idp.approve(await visit.toProvider())
      await visit(callback)

      expect((await visit(callback)).location).toBe(wanted)
      expect(idp.count("token")).toBe(1)
    })
  })
})

interface Visit {
  /** Goes to a public address. */
  (address: string | URL): Promise<Reply>
  /** Asks for the page, and goes on to the provider; resolves to its address. */
  toProvider(): Promise<string>
  /** Goes to the sign-in page at `address`, and submits its form. */
  byForm(address: string): Promise<string>
}

async function open(express: ExpressVersion["express"], arrangement: Arrangement) {
  const { base = "/auth", cutOff = "", address, headers = { host: "app.example" }, env, config = {} } = arrangement
  const idp = new FaultyProvider()
  const setup = setUp(env)
  const provider = { id: "idp", name: "Idp", type: "oidc", issuer: idp.issuer, clientId, clientSecret } as const
  const auth = createExpressAuth(setup.config({ providers: [provider], trustHost: true, ...config }), {
    ...setup.ports,
    // The provider's tokens carry the time of the real clock.
    now: () => Date.now(),
    fetch: idp.fetch,
  })
  const server = express()
  server.set("trust proxy", headers["x-forwarded-host"] !== undefined)
  if (arrangement.mount) arrangement.mount(express, server, auth)
  else server.use(base, auth)
  // The application's own sign-in page.
  server.get("/login", (_req, res) => void res.send("sign in"))
  server.get(
    "/account",
    requireSession((req, res) => void res.send(`account of ${req.auth.user?.name}`)),
  )
  const browser = (await openSite(server)).browser({ ...headers, accept: "text/html" })
  return { idp, browser, wanted: `${address}/account?tab=1`, visit: visitor(browser, { address, base, cutOff }) }
}

function visitor(
  browser: Browser,
  { address, base, cutOff }: { readonly address: string; readonly base: string; readonly cutOff: string },
): Visit {
  const { origin } = new URL(address)
  const visit = (to: string | URL): Promise<Reply> => {
    const url = new URL(to, origin)
    expect(url.origin).toBe(origin)
    expect(url.pathname.startsWith(cutOff)).toBe(true)
    return browser.get(url.pathname.slice(cutOff.length) + url.search)
  }
  const byForm = async (page: string): Promise<string> => {
    const shown = await visit(page)
    if (shown.location) await visit(shown.location)
    // A form passes on what the address of its page says.
    const callbackUrl = new URL(page, origin).searchParams.get("callbackUrl")
    const form = { csrfToken: await browser.csrf(base), ...(callbackUrl === null ? {} : { callbackUrl }) }
    return (await browser.post(`${base}/signin/idp`, form)).location
  }
  const toProvider = async (): Promise<string> => byForm((await visit(`${address}/account?tab=1`)).location)
  return Object.assign(visit, { byForm, toProvider })
}
