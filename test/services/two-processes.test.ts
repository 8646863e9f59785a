import { spawn, type ChildProcess } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals"
import pg from "pg"
import { createClient } from "redis"
import { createStatements } from "../../src/adapters/sql/ddl.js"

const postgres = process.env.LATCHKEY_TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/test"
const redis = process.env.LATCHKEY_TEST_REDIS ?? "redis://127.0.0.1:6379"
const schema = `two_processes_${randomUUID().replaceAll("-", "")}`
const inSchema = `${postgres}${postgres.includes("?") ? "&" : "?"}options=-c%20search_path%3D${schema}`

const administrator = new pg.Pool({ connectionString: postgres })
const pool = new pg.Pool({ connectionString: inSchema })

beforeAll(async () => {
  await administrator.query(`create schema ${schema}`)
  for (const statement of createStatements({ dialect: "postgres" })) await pool.query(statement)
})

afterAll(async () => {
  await pool.end()
  await administrator.query(`drop schema ${schema} cascade`)
  await administrator.end()
})

interface AppProcess {
  readonly origin: string
  kill(): Promise<void>
}

async function startApp(env: Readonly<Record<string, string>>): Promise<AppProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", "test/services/two-processes/app.ts"], {
    env: { PATH: process.env.PATH, POSTGRES: inSchema, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [chunk] = (await Promise.race([once(child.stdout, "data"), exitOf(child)])) as [Buffer]
  return {
    origin: `http://127.0.0.1:${chunk.toString().trim()}`,
    kill: async () => {
      child.kill("SIGKILL")
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    },
  }
}

async function exitOf(child: ChildProcess): Promise<never> {
  await once(child, "exit")
  throw new Error("the application ended before it ran")
}

/** Cookies by name, kept for every process: they share one host name. */
class Visitor {
  readonly #cookies = new Map<string, string>()

  async ask({ origin }: AppProcess, path: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(origin + path, {
      redirect: "manual",
      headers: { cookie },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === "") this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }

  async submit(app: AppProcess, path: string, form: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { csrfToken } = (await (await this.ask(app, "/auth/csrf")).json()) as { csrfToken: string }
    return this.ask(app, path, { csrfToken, ...form })
  }

  copy(): Visitor {
    const other = new Visitor()
    for (const [name, value] of this.#cookies) other.#cookies.set(name, value)
    return other
  }
}

describe.each([
  ["PostgreSQL", {}],
  ["PostgreSQL, with sessions in Redis", { REDIS: redis, PREFIX: `${schema}:` }],
])("two processes behind %s", (_, env: Readonly<Record<string, string>>) => {
  let one: AppProcess
  let other: AppProcess
  beforeAll(async () => {
    ;[one, other] = await Promise.all([startApp(env), startApp(env)])
  })
  afterAll(async () => {
    await Promise.all([one, other].map((app) => app.kill()))
    if (env.REDIS === undefined) return
    const client = await createClient({ url: redis }).connect()
    const keys = await client.keys(`${schema}:*`)
    if (keys.length > 0) await client.del(keys)
    await client.close()
  })

  it("share every session: signed in at one is signed in at the other, and signed out at the other is signed out", async () => {
    const ada = new Visitor()
    await ada.submit(one, "/auth/callback/credentials", { name: "ada" })
    expect(await (await ada.ask(other, "/who")).text()).toBe("ada")

    const thief = ada.copy()
    await ada.submit(other, "/auth/signout")
    expect((await ada.ask(one, "/who")).status).toBe(401)
    expect((await thief.ask(one, "/who")).status).toBe(401)
    expect((await thief.ask(other, "/who")).status).toBe(401)
  })

  it("keep sessions when one of them is killed", async () => {
    const grace = new Visitor()
    const short = await startApp(env)
    await grace.submit(short, "/auth/callback/credentials", { name: "grace" })
    await short.kill()
    expect(await (await grace.ask(other, "/who")).text()).toBe("grace")
  })

  it("make one user of somebody who signs in for the first time at both at once", async () => {
    const sign = (app: AppProcess) => new Visitor().submit(app, "/auth/callback/credentials", { name: "both" })
    const answers = await Promise.all([sign(one), sign(other), sign(one), sign(other)])
    expect(answers.some(({ headers }) => headers.get("location")?.includes("error") === false)).toBe(true)
    const { rows } = await pool.query("select id from users where email = 'both@example.com'")
    expect(rows).toHaveLength(1)
    expect((await sign(one)).headers.get("location")).not.toContain("error")
  })
})
