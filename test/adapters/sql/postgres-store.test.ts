import { EventEmitter } from "node:events"
import { describe, expect, it } from "@jest/globals"
import { PostgresAdapter, type PgPool } from "../../../src/adapters/sql.js"

type Query = Parameters<PgPool["query"]>[0]

const expires = new Date(Date.now() + 3_600_000)

const describedAs: Readonly<Record<string, readonly string[]>> = {
  '"users"': ["id", "name", "email"],
  '"sessions"': ["sessionToken", "userId", "expires"],
}

/** A pool whose server knows two tables, and that lets `answer` say what becomes of queries of its own. */
function poolThat(answer: (query: Query) => Promise<{ rows: readonly Readonly<Record<string, unknown>>[] }>) {
  const queries: Query[] = []
  const rowsOf = (table: unknown) =>
    (describedAs[String(table)] ?? []).map((name) => ({
      name,
      type: name === "expires" ? "timestamptz" : "text",
      isNullable: false,
      hasDefault: false,
      isGenerated: false,
    }))
  const pool = {
    connect: () =>
      Promise.resolve({
        query: (_sql: string, [table]: readonly unknown[]) =>
          Promise.resolve({ command: "SELECT", rowCount: 0, rows: rowsOf(table) }),
        release: () => undefined,
      }),
    end: () => Promise.resolve(),
    query: (query: Query) => {
      queries.push(query)
      return answer(query)
    },
  }
  return { pool: pool as unknown as PgPool, queries }
}

const found = { rows: [{ 0: "token", 1: "1", 2: expires, 3: "1", 4: "Ada", 5: "ada@example.com" }] }
const record = {
  session: { sessionToken: "token", userId: "1", expires },
  user: { id: "1", name: "Ada", email: "ada@example.com" },
}

describe("getSessionAndUser in PostgreSQL", () => {
  it("is one query, a prepared statement", async () => {
    const { pool, queries } = poolThat(() => Promise.resolve(found))
    const adapter = PostgresAdapter(pool)
    expect(await adapter.getSessionAndUser("token")).toEqual(record)
    expect(await adapter.getSessionAndUser("token")).toEqual(record)
    expect(queries).toHaveLength(2)
    expect(queries[0]).toEqual({
      name: expect.stringMatching(/^latchkey_[0-9a-f]{16}$/),
      text: expect.stringMatching(/^\s*select .* from "sessions" as s inner join "users" as u on .* = \$1$/s),
      values: ["token"],
    })
    expect(queries[1]?.name).toBe(queries[0]?.name)
  })

  it.each(["26000", "42P05", "0A000", "08P01"])(
    "goes on without a name where a pooler loses prepared statements: %s",
    async (code) => {
      const { pool, queries } = poolThat(({ name }) =>
        name === undefined ? Promise.resolve(found) : Promise.reject(Object.assign(new Error("prepared"), { code })),
      )
      const adapter = PostgresAdapter(pool)
      expect(await adapter.getSessionAndUser("token")).toEqual(record)
      expect(await adapter.getSessionAndUser("token")).toEqual(record)
      expect(queries.map(({ name }) => name !== undefined)).toEqual([true, false, false])
    },
  )

  it("fails as often as the server does, and does not tell the token", async () => {
    const down = Object.assign(new Error("could not look up secret-token"), { code: "57P03", detail: "secret-token" })
    const { pool, queries } = poolThat(() => Promise.reject(down))
    const adapter = PostgresAdapter(pool)
    for (let count = 0; count < 2; count += 1)
      await expect(async () => adapter.getSessionAndUser("secret-token")).rejects.toMatchObject({
        message: "could not look up …",
        code: "57P03",
      })
    expect(queries).toHaveLength(2)
  })
})

describe("a connection to PostgreSQL that is cut while it is in use", () => {
  it("fails the query, and no more: the client's error event has a listener until it is released", async () => {
    const client = new EventEmitter()
    const listeners: number[] = []
    const pool = {
      connect: () =>
        Promise.resolve(
          Object.assign(client, {
            query: () => {
              client.emit("error", new Error("nobody listens"))
              return Promise.reject(new Error("Connection terminated unexpectedly"))
            },
            release: () => void listeners.push(client.listenerCount("error")),
          }),
        ),
      end: () => Promise.resolve(),
      query: () => Promise.resolve({ rows: [] }),
    }
    const adapter = PostgresAdapter(pool as unknown as PgPool)
    for (let count = 0; count < 2; count += 1)
      await expect(adapter.getUser("ada")).rejects.toThrow("Connection terminated unexpectedly")
    expect(listeners).toEqual([1, 1])
    expect(client.listenerCount("error")).toBe(0)
  })
})
