/** Two processes, one PostgreSQL, and a provider that gives each refresh token once. */
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals"
import pg from "pg"
import { createStatements } from "../../src/adapters/sql/ddl.js"
import { startOpenIDProvider, type OpenIDProvider } from "../../src/testing/index.js"

const postgres = process.env.LATCHKEY_TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/test"
const schema = `token_refresh_${randomUUID().replaceAll("-", "")}`
const inSchema = `${postgres}${postgres.includes("?") ? "&" : "?"}options=-c%20search_path%3D${schema}`
const administrator = new pg.Pool({ connectionString: postgres })
const pool = new pg.Pool({ connectionString: inSchema })

interface App {
  readonly origin: string
  kill(): Promise<void>
}

async function startApp({ issuer, clientId, clientSecret }: OpenIDProvider): Promise<App> {
  const env = {
    PATH: process.env.PATH,
    POSTGRES: inSchema,
    ISSUER: issuer,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
  }
  const args = ["--import", "tsx", "test/services/two-processes/token-app.ts"]
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(child, "exit").then(() => Promise.reject(new Error("the application ended before it ran")))
  const [chunk] = (await Promise.race([once(child.stdout, "data"), ended])) as [Buffer]
  ended.catch(() => undefined)
  return {
    origin: `http://127.0.0.1:${chunk.toString().trim()}`,
    kill: async () => {
      child.kill("SIGKILL")
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    },
  }
}

/** Cookies by host and name, and redirects followed wherever they lead. */
class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>()

  async ask(address: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const jar = this.#jarOf(address)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const body = form && new URLSearchParams(form)
    const response = await fetch(address, {
      redirect: "manual",
      headers: { cookie },
      method: form ? "POST" : "GET",
      body,
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === "") jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get("location")
    return location === null ? response : this.ask(new URL(location, address).href)
  }

  async signIn({ origin }: App): Promise<void> {
    const { csrfToken } = (await (await this.ask(`${origin}/auth/csrf`)).json()) as { csrfToken: string }
    await this.ask(`${origin}/auth/signin/local`, { csrfToken, callbackUrl: `${origin}/auth/session` })
  }

  /** The same browser in front of another process: cookies do not heed ports. */
  shareWith(one: App, other: App): void {
    this.#cookies.set(new URL(other.origin).host, this.#jarOf(one.origin))
  }

  #jarOf(address: string): Map<string, string> {
    const { host } = new URL(address)
    const jar = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, jar)
    return jar
  }
}

describe("20 parallel requests that need a refresh, in two processes on PostgreSQL", () => {
  let provider: OpenIDProvider
  let apps: readonly [App, App]
  beforeAll(async () => {
    await administrator.query(`create schema ${schema}`)
    for (const statement of createStatements({ dialect: "postgres" })) await pool.query(statement)
    provider = await startOpenIDProvider({ rotateRefreshTokens: true })
    apps = await Promise.all([startApp(provider), startApp(provider)])
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.kill()))
    await provider.close()
    await pool.end()
    await administrator.query(`drop schema ${schema} cascade`)
    await administrator.end()
  })

  it("make one refresh, and everybody gets a token that is good; again and again", async () => {
    const visitor = new Visitor()
    await visitor.signIn(apps[0])
    visitor.shareWith(...apps)
    const countTokenCalls = () => provider.requests.filter(({ path }) => path === "/token").length

    const seen = new Set<string>()
    for (let round = 1; round <= 5; round += 1) {
      await pool.query("update accounts set expires_at = $1", [Math.floor(Date.now() / 1000) - 10])
      const before = countTokenCalls()
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const response = await visitor.ask(`${apps[index % 2 === 0 ? 0 : 1].origin}/token`)
          return { status: response.status, body: (await response.json()) as { readonly accessToken: string } }
        }),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
      expect(countTokenCalls() - before).toBe(1)
      const [token = "", ...others] = new Set(answers.map(({ body }) => body.accessToken))
      expect(others).toEqual([])
      expect(seen).not.toContain(token)
      seen.add(token)
      const userinfo = await fetch(`${provider.issuer}/me`, { headers: { authorization: `Bearer ${token}` } })
      expect(userinfo.status).toBe(200)
    }
    const { rows } = await pool.query<{ refresh_token: string }>("select refresh_token from accounts")
    expect(rows.map(({ refresh_token }) => refresh_token).join()).not.toContain("latchkey")
  })
})
