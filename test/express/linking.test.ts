/** Sign-ups, sign-ins and links on Express, with a certified provider and storage in memory. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import { createExpressAuth } from "../../src/express/express-auth.js"
import { requireSession, type AuthConfig } from "../../src/index.js"
import { startOpenIDProvider, type OpenIDProvider } from "../../src/testing/index.js"
import { catchErrors, createApp } from "../support/express-apps.js"
import type { Browser } from "../support/express-browser.js"
import { setUp } from "../support/express-setup.js"
import { openSite, type Reply, type Site } from "../support/express-site.js"
import { expressVersions } from "../support/express-versions.js"
import { openBrowser } from "../testing/open-browser.js"

const people = [
  { sub: "ada", name: "Ada Lovelace", email: "Ada@Example.com" },
  { sub: "grace", name: "Grace Hopper", email: "grace@example.com" },
  { sub: "mallory", name: "Mallory", email: "ada@example.com", email_verified: false },
]

const started: { provider?: OpenIDProvider } = {}
beforeAll(async () => {
  started.provider = await startOpenIDProvider({ accounts: people })
})
afterAll(async () => started.provider?.close())

interface Stored {
  readonly site: Site
  readonly adapter: ReturnType<typeof MemoryAdapter>
  readonly logged: readonly Error[]
  readonly told: readonly string[]
  readonly caught: readonly unknown[]
}

/** Two providers, both the same server: `one` and `two`, of which the second is trusted with addresses. */
async function openStored(
  express: (typeof expressVersions)[number]["express"],
  overrides: Partial<AuthConfig> = {},
): Promise<Stored> {
  const { provider } = started
  if (!provider) throw new Error("the provider is not running")
  const { issuer, clientId, clientSecret } = provider
  const shared = { type: "oidc", issuer, clientId, clientSecret } as const
  const { config, ports, logged } = setUp()
  const adapter = MemoryAdapter()
  const told: string[] = []
  const auth = createExpressAuth(
    config({
      adapter,
      providers: [
        { ...shared, id: "one", name: "One" },
        { ...shared, id: "two", name: "Two", allowDangerousEmailAccountLinking: true },
      ],
      events: {
        createUser: () => void told.push("createUser"),
        linkAccount: () => void told.push("linkAccount"),
        signIn: ({ isNewUser }) => void told.push(isNewUser ? "signIn, new" : "signIn"),
      },
      ...overrides,
    }),
    // The provider's tokens carry the time of the real clock.
    { ...ports, now: () => Date.now(), fetch: (input, init) => fetch(input, init) },
  )
  const { caught, middleware } = catchErrors()
  const app = createApp(express, auth)
  app.get(
    "/private",
    requireSession((req, res) => void res.json(req.auth.user)),
  )
  app.use(middleware)
  return { site: await openSite(app), adapter, logged, told, caught }
}

/** Signs in as somebody; resolves to the answer of the callback. */
async function signIn(site: Site, browser: Browser, provider: string, who: string): Promise<Reply> {
  return browser.get(await begin(site, browser, provider, who))
}

/** The path to which the provider sends the browser back. */
async function begin(site: Site, browser: Browser, provider: string, who: string): Promise<string> {
  const csrfToken = await browser.csrf()
  const { location } = await browser.post(`/auth/signin/${provider}?login_hint=${who}`, {
    csrfToken,
    callbackUrl: "/me",
  })
  const { url } = await openBrowser(`${site.origin}/auth/callback`)(new URL(location))
  return url.pathname + url.search
}

describe.each(expressVersions)("accounts on $version", ({ express }) => {
  it("a first sign-in makes a user, an account and a session", async () => {
    const { site, adapter, told, logged } = await openStored(express)
    const browser = site.browser()

    expect(await signIn(site, browser, "one", "ada")).toMatchObject({ status: 302, location: `${site.origin}/me` })

    const user = { name: "Ada Lovelace", email: "ada@example.com" }
    expect((await browser.get("/me")).json).toMatchObject({ user })
    expect(await browser.get("/private", { accept: "application/json" })).toMatchObject({ status: 200, json: user })
    const stored = await adapter.getUserByAccount({ provider: "one", providerAccountId: "ada" })
    expect(stored).toMatchObject({ ...user, emailVerified: null })
    expect(await adapter.listSessionsByUserId(stored?.id ?? "")).toHaveLength(1)
    expect(told).toEqual(["createUser", "linkAccount", "signIn, new"])
    expect(logged).toEqual([])
  })

  it("a link while signed in adds an account to the user, and either one opens them", async () => {
    const { site, adapter, told } = await openStored(express)
    const browser = site.browser()
    await signIn(site, browser, "one", "ada")

    await signIn(site, browser, "one", "grace")

    expect((await browser.get("/me")).json).toMatchObject({ user: { email: "ada@example.com" } })
    const another = site.browser()
    await signIn(site, another, "one", "grace")
    expect((await another.get("/me")).json).toMatchObject({ user: { email: "ada@example.com" } })
    expect(await adapter.getUserByEmail("grace@example.com")).toBeNull()
    expect(told).toEqual(["createUser", "linkAccount", "signIn, new", "linkAccount", "signIn", "signIn"])
  })

  it("the account of somebody else is refused, and the session stays", async () => {
    const { site, logged } = await openStored(express)
    await signIn(site, site.browser(), "one", "grace")
    const browser = site.browser()
    await signIn(site, browser, "one", "ada")

    const refused = await signIn(site, browser, "one", "grace")

    expect(refused.location).toBe(`${site.origin}/auth/signin?error=OAuthAccountNotLinked`)
    expect((await browser.get("/me")).json).toMatchObject({ user: { email: "ada@example.com" } })
    expect(logged).toMatchObject([{ type: "OAuthAccountNotLinked" }])
    const page = await browser.get("/auth/signin?error=OAuthAccountNotLinked")
    expect(page.status).toBe(200)
  })

  it("A-063: an address links where it is trusted and verified, and nowhere else", async () => {
    const { site, adapter } = await openStored(express)
    await signIn(site, site.browser(), "one", "ada")
    const [trusted, unverified, untrusted] = [site.browser(), site.browser(), site.browser()]

    const notLinked = { location: `${site.origin}/auth/signin?error=OAuthAccountNotLinked` }
    expect(await signIn(site, unverified, "two", "mallory")).toMatchObject(notLinked)
    expect(await signIn(site, untrusted, "one", "mallory")).toMatchObject(notLinked)
    // Nobody has proved yet that the address is theirs.
    expect(await signIn(site, trusted, "two", "ada")).toMatchObject(notLinked)
    const user = await adapter.getUserByEmail("ada@example.com")
    await adapter.updateUser({ id: user?.id ?? "", emailVerified: new Date() })
    expect(await signIn(site, trusted, "two", "ada")).toMatchObject({ location: `${site.origin}/me` })

    expect((await unverified.get("/me")).json).toBeNull()
    expect((await adapter.listAccountsByUserId(user?.id ?? "")).map(({ provider }) => provider)).toEqual(["one", "two"])
  })

  it("A-066: a sign-in that was started signed out links nothing to whoever has signed in meanwhile", async () => {
    const { site, adapter } = await openStored(express)
    const browser = site.browser()
    const callback = await begin(site, browser, "one", "grace")
    await signIn(site, browser, "one", "ada")

    await browser.get(callback)

    expect((await browser.get("/me")).json).toMatchObject({ user: { email: "grace@example.com" } })
    expect(await adapter.getUserByEmail("grace@example.com")).not.toBeNull()
  })

  it("A-033: the old cookie is worth nothing after another sign-in", async () => {
    const { site } = await openStored(express)
    const [browser, thief] = [site.browser(), site.browser()]
    await signIn(site, browser, "one", "ada")
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
    expect((await thief.get("/me")).json).not.toBeNull()

    await signIn(site, browser, "one", "ada")

    expect((await thief.get("/me")).json).toBeNull()
    expect((await browser.get("/me")).json).not.toBeNull()
  })

  it("A-069: two first sign-ins at once make one user, and both are signed in", async () => {
    const { site, adapter, told } = await openStored(express)
    const browsers = [site.browser(), site.browser()]
    const callbacks = await Promise.all(browsers.map((browser) => begin(site, browser, "one", "ada")))

    const answers = await Promise.all(browsers.map((browser, index) => browser.get(callbacks[index] ?? "")))

    expect(answers.map(({ location }) => location)).toEqual(Array(2).fill(`${site.origin}/me`))
    const user = await adapter.getUserByEmail("ada@example.com")
    expect(await adapter.listSessionsByUserId(user?.id ?? "")).toHaveLength(2)
    expect(told.filter((name) => name === "createUser")).toHaveLength(1)
  })

  it("a new user goes to their page first", async () => {
    const { site } = await openStored(express, { pages: { newUser: "/welcome" } })
    const browser = site.browser()

    const first = await signIn(site, browser, "one", "ada")
    const second = await signIn(site, browser, "one", "ada")

    expect(first.location).toBe(`${site.origin}/welcome?callbackUrl=${encodeURIComponent(`${site.origin}/me`)}`)
    expect(second.location).toBe(`${site.origin}/me`)
  })

  it("under jwt the token names the stored user", async () => {
    const tokens: unknown[] = []
    const { site, adapter } = await openStored(express, {
      session: { strategy: "jwt" },
      callbacks: { jwt: ({ token, trigger }) => (trigger && tokens.push([trigger, token.sub]), token) },
    })
    const browser = site.browser()

    await signIn(site, browser, "one", "ada")
    await signIn(site, browser, "one", "ada")

    const user = await adapter.getUserByEmail("ada@example.com")
    expect(tokens).toEqual([
      ["signUp", user?.id],
      ["signIn", user?.id],
    ])
    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("a store that is down reaches error middleware, signs nobody in, and keeps nobody out for long", async () => {
    const own = MemoryAdapter()
    const state = { isDown: true }
    const createUserWithAccount: typeof own.createUserWithAccount = (user, account) => {
      if (state.isDown) throw new Error("connection refused")
      return own.createUserWithAccount(user, account)
    }
    const { site, caught, logged } = await openStored(express, { adapter: { ...own, createUserWithAccount } })
    const browser = site.browser()

    const failed = await signIn(site, browser, "one", "ada")

    expect(failed.status).toBe(500)
    expect(caught).toMatchObject([{ type: "AdapterError", status: 500 }])
    expect(logged).toEqual(caught)
    expect((await browser.get("/me")).json).toBeNull()

    state.isDown = false
    expect((await signIn(site, browser, "one", "ada")).location).toBe(`${site.origin}/me`)
    expect((await browser.get("/me")).json).not.toBeNull()
  })
})
