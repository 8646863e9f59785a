import { describe, expect, it } from "@jest/globals"
import pg from "pg"
import { PostgresAdapter } from "../../src/adapters/sql.js"
import { createStatements } from "../../src/adapters/sql/ddl.js"
import { openPostgresAt } from "../adapters/sql/server-databases.js"
import { testPgAdapterTables, testSqlStore } from "../adapters/sql/store-tests.js"

const address = process.env.LATCHKEY_TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/test"

describe("PostgreSQL:", () => {
  testSqlStore(openPostgresAt(address))
  testPgAdapterTables(openPostgresAt(address))
})

describe("a session in PostgreSQL", () => {
  const schema = `latchkey_${crypto.randomUUID().replaceAll("-", "")}`

  it("is read by a statement that the server has prepared, also in a schema that is not searched", async () => {
    const pool = new pg.Pool({ connectionString: address, max: 1 })
    const tables = {
      users: `${schema}.users`,
      accounts: `${schema}.accounts`,
      sessions: `${schema}.sessions`,
      verificationTokens: `${schema}.tokens`,
      authenticators: `${schema}.authenticators`,
    }
    await pool.query(`create schema ${schema}`)
    try {
      for (const statement of createStatements({ dialect: "postgres", tables })) await pool.query(statement)
      const adapter = PostgresAdapter(pool, { tables })
      const user = await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: new Date() })
      const session = { sessionToken: "token", userId: "ada", expires: new Date(Date.now() + 3_600_000) }
      await adapter.createSession(session)
      for (let count = 0; count < 2; count += 1)
        expect(await adapter.getSessionAndUser("token")).toEqual({ session, user })
      const { rows } = await pool.query("select statement from pg_prepared_statements where name like 'latchkey%'")
      expect(rows).toEqual([{ statement: expect.stringContaining(`"${schema}"."sessions"`) }])
    } finally {
      await pool.query(`drop schema ${schema} cascade`)
      await pool.end()
    }
  })

  it("is read on when a column is added or its type changes meanwhile", async () => {
    const database = await openPostgresAt(address)()
    try {
      for (const statement of createStatements({ dialect: "postgres" })) await database.query(statement)
      const adapter = database.open()
      await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
      await adapter.createSession({ sessionToken: "token", userId: "ada", expires: new Date(Date.now() + 3_600_000) })
      expect(await adapter.getSessionAndUser("token")).not.toBeNull()
      await database.query("alter table users add column role text, alter column name type varchar(99)")
      expect(await adapter.getSessionAndUser("token")).toMatchObject({ user: { id: "ada" } })
    } finally {
      await database.close()
    }
  })

  it("that is prolonged while the expired ones are deleted stays", async () => {
    const database = await openPostgresAt(address)()
    const pool = new pg.Pool({ connectionString: address, max: 1 })
    try {
      for (const statement of createStatements({ dialect: "postgres" })) await database.query(statement)
      const [{ schema } = {}] = await database.query("select current_schema() as schema")
      const adapter = database.open()
      await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null })
      await adapter.createSession({ sessionToken: "token", userId: "ada", expires: new Date(0) })
      await pool.query("begin")
      await pool.query(`update ${String(schema)}.sessions set expires = now() + interval '1 hour'`)
      const deleting = adapter.deleteExpired()
      await waitUntil(async () => {
        const waiting = "wait_event_type = 'Lock' and query like 'delete from \"sessions\"%'"
        return (await database.query(`select 1 from pg_stat_activity where ${waiting}`)).length > 0
      })
      await pool.query("commit")
      expect(await deleting).toEqual({ sessions: 0, verificationTokens: 0 })
      expect(await adapter.getSessionAndUser("token")).not.toBeNull()
    } finally {
      await pool.end()
      await database.close()
    }
  })
})

describe("functions and operators that somebody has planted in PostgreSQL", () => {
  const planted = [
    "alter table accounts alter provider type varchar(255)",
    `create function pg_advisory_xact_lock(text) returns void language plpgsql as $$ begin raise 'planted: lock'; end $$`,
    `create function planted(oid, regclass) returns boolean language plpgsql as $$ begin raise 'planted: name'; end $$`,
    `create operator = (leftarg = oid, rightarg = regclass, procedure = planted)`,
    `create function planted(varchar, varchar) returns boolean language plpgsql as $$ begin raise 'planted: key'; end $$`,
    `create operator = (leftarg = varchar, rightarg = varchar, procedure = planted)`,
  ]

  it("are not run", async () => {
    const database = await openPostgresAt(address)()
    try {
      for (const statement of [...createStatements({ dialect: "postgres" }), ...planted])
        await database.query(statement)
      const account = { provider: "acme", providerAccountId: "1", type: "oidc" } as const
      const user = { id: "ada", email: "ada@example.com", emailVerified: null }
      const adapter = database.open()
      expect(await adapter.createUserWithAccount(user, account)).toMatchObject(user)
      expect(await adapter.getUserByAccount(account)).toMatchObject(user)
    } finally {
      await database.close()
    }
  })
})

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}
