/** A real Express app and a real OpenID provider, over real HTTP: each signs out at the other. */
import { afterEach, describe, expect, it } from "@jest/globals"
import express from "express"
import { MemoryRevocations } from "../../src/adapters/memory.js"
import { SqliteAdapter } from "../../src/adapters/sql.js"
import { createExpressAuth } from "../../src/express/express-auth.js"
import type { AuthConfig } from "../../src/index.js"
import { startOpenIDProvider, type OpenIDProvider } from "../../src/testing/index.js"
import { openSite } from "../support/express-site.js"
import { openBrowser, type Visit } from "../testing/open-browser.js"

const running: OpenIDProvider[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()))
})

const strategies: Readonly<Record<string, () => Partial<AuthConfig>>> = {
  database: () => ({ adapter: SqliteAdapter(":memory:") }),
  jwt: () => ({ session: { revocations: MemoryRevocations() } }),
}

interface Setup {
  readonly origin: string
  readonly provider: OpenIDProvider
  readonly logged: readonly Error[]
}

async function setUp(given: Partial<AuthConfig>): Promise<Setup> {
  const app = express()
  const { origin } = await openSite(app)
  const backchannelLogoutUri = `${origin}/auth/callback/local/logout`
  const provider = await startOpenIDProvider({ remembersBrowser: true, backchannelLogoutUri })
  running.push(provider)
  const { issuer, clientId, clientSecret } = provider
  const local = {
    id: "local",
    name: "Local",
    type: "oidc",
    issuer,
    clientId,
    clientSecret,
    backChannelLogout: true,
  } as const
  const logged: Error[] = []
  const config: AuthConfig = {
    secret: "a secret that only these tests know",
    providers: [local],
    logger: { error: (error) => void logged.push(error) },
    ...given,
  }
  const auth = createExpressAuth(config, { env: {}, now: () => Date.now(), fetch: (...asked) => fetch(...asked) })
  app.use(express.urlencoded({ extended: true }))
  app.use("/auth", auth)
  app.get("/", (_req, res) => void res.send("front page"))
  app.get("/bye", (_req, res) => void res.send("bye"))
  return { origin, provider, logged }
}

interface Person {
  readonly visit: Visit
  session(): Promise<unknown>
  submit(path: string, form?: Readonly<Record<string, string>>): ReturnType<Visit>
}

function open({ origin }: Setup): Person {
  const visit = openBrowser("http://nowhere.example")
  const read = async (path: string): Promise<unknown> =>
    JSON.parse((await visit(new URL(`${origin}/auth/${path}`))).text)
  return {
    visit,
    session: () => read("session"),
    submit: async (path, form) => {
      const { csrfToken } = (await read("csrf")) as { readonly csrfToken: string }
      return visit(new URL(`${origin}/auth/${path}`), { csrfToken, ...form })
    },
  }
}

async function enter(setup: Setup): Promise<Person> {
  const person = open(setup)
  await person.submit("signin/local")
  expect(await person.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
  return person
}

describe.each(Object.entries(strategies))("under %s", (strategy, given) => {
  it("whoever signs out at the provider, too, comes back, and has no session there any more", async () => {
    const setup = await setUp(given())
    const person = await enter(setup)

    const landing = await person.submit("signout", { federated: "true", callbackUrl: "/bye" })

    expect([landing.url.href, landing.text]).toEqual([`${setup.origin}/bye`, "bye"])
    expect(await person.session()).toBeNull()
    expect(setup.provider.requests.map(({ path }) => path)).toContain("/session/end")
    // Its session has ended, so it tells the applications: us.
    expect(setup.provider.logouts).toEqual([{ clientId: setup.provider.clientId, ok: true }])
    expect(setup.logged).toEqual([])
  })

  it("whoever is signed out by the provider has no session here any more, in any browser", async () => {
    const setup = await setUp(given())
    const [desk, phone] = [await enter(setup), await enter(setup)]

    await setup.provider.endSessions("ada")

    expect(setup.provider.logouts).toHaveLength(2)
    expect(setup.provider.logouts.every(({ ok }) => ok)).toBe(true)
    expect([await desk.session(), await phone.session()]).toEqual([null, null])
    expect(setup.logged).toEqual([])
  })

  it("whoever signs out in one browser at the provider stays signed in here in another", async () => {
    const setup = await setUp(given())
    const [desk, phone] = [await enter(setup), await enter(setup)]

    // Only the provider's end: our own session is to end by its logout token.
    const end = new URL("/session/end", setup.provider.issuer)
    end.search = new URLSearchParams({ client_id: setup.provider.clientId }).toString()
    await desk.visit(end)

    expect(setup.provider.logouts).toEqual([{ clientId: setup.provider.clientId, ok: true }])
    expect(await desk.session()).toBeNull()
    expect([strategy, await phone.session()]).toMatchObject([strategy, { user: { name: "Ada Lovelace" } }])
  })
})
