import { describe, expect, it } from "@jest/globals"
import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  MssqlAdapter,
  MssqlQueryCompiler,
  PostgresAdapter,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DialectAdapter,
  type KyselyPlugin,
} from "kysely"
import Libsql from "libsql"
import { SqlAdapter } from "../../../src/adapters/sql.js"
import { createStatements } from "../../../src/adapters/sql/ddl.js"
import { dialectOf } from "../../../src/adapters/sql/dialect-of.js"
import { adapterContract } from "../../../src/testing/adapter-contract.js"

interface Tables {
  readonly users: { readonly id: string; readonly email: string }
}

function openKysely(plugins: KyselyPlugin[] = []): Kysely<Tables> {
  const database = new Libsql(":memory:")
  for (const statement of createStatements({ dialect: "sqlite" })) database.exec(statement)
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }), plugins })
}

const person = (fields = {}) => ({ id: crypto.randomUUID(), email: "ada@example.com", emailVerified: null, ...fields })

describe("SqlAdapter over Kysely keeps the contract:", () => {
  const adapter = SqlAdapter(openKysely())
  it.each(adapterContract({ milliseconds: true }).map((check) => [check.name, check] as const))("%s", (_, { run }) =>
    run(adapter),
  )
})

describe("SqlAdapter", () => {
  it("reads rows as they are, whatever plugins the application has", async () => {
    const adapter = SqlAdapter(openKysely([new CamelCasePlugin()]))
    const { id: userId } = await adapter.createUser(person())
    const account = { userId, provider: "acme", providerAccountId: "1", type: "oidc", access_token: "a" } as const
    await adapter.linkAccount(account)
    expect(await adapter.getAccount("1", "acme")).toMatchObject(account)
  })

  it("works in a transaction of the application's own", async () => {
    const kysely = openKysely()
    const outside = SqlAdapter(kysely)
    const undone = kysely.transaction().execute(async (transaction) => {
      const inside = SqlAdapter(transaction)
      const account = { provider: "acme", providerAccountId: "1", type: "oidc" } as const
      expect(await inside.createUserWithAccount(person(), account)).not.toBeNull()
      throw new Error("undo")
    })
    await expect(undone).rejects.toThrow("undo")
    expect(await outside.getUserByEmail("ada@example.com")).toBeNull()
  })

  it("says which dialect it cannot tell, and takes the application's word", () => {
    const kysely = kyselyWith(new MssqlAdapter())
    expect(() => SqlAdapter(kysely)).toThrow("SqlAdapter cannot tell the dialect from MssqlAdapter: say it")
    expect(() => SqlAdapter(kysely, { dialect: "postgres" })).not.toThrow()
  })
})

function kyselyWith(adapter: DialectAdapter): Kysely<Tables> {
  return new Kysely({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () =>
        adapter instanceof MssqlAdapter ? new MssqlQueryCompiler() : new SqliteQueryCompiler(),
    },
  })
}

describe("the dialect of a Kysely instance", () => {
  it("is known by the class of its adapter, or by one that this extends", () => {
    class OwnAdapter extends PostgresAdapter {}
    expect(dialectOf(kyselyWith(new OwnAdapter()))).toBe("postgres")
    expect(dialectOf(openKysely())).toBe("sqlite")
  })
})
