/** What every SQL database must do, whichever driver is in between. */
import { inspect } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals"
import type { Adapter, AdapterUser } from "../../../src/adapters/contract.js"
import type { SqlAdapterOptions } from "../../../src/adapters/sql.js"
import { createStatements, quoteName } from "../../../src/adapters/sql/ddl.js"
import { adapterContract, type AdapterMethod } from "../../../src/testing/adapter-contract.js"
import type { AdapterContractOptions } from "../../../src/testing/adapter-contract.js"
import { drizzleTables, kyselyTables, pgTables, prismaTables } from "./existing-tables.js"
import { runAll, type OpenDatabase, type TestDatabase } from "./test-database.js"

/** A database, and an adapter over it, that all tests of one `describe` share. */
interface Shared {
  readonly database: TestDatabase
  readonly adapter: Required<Adapter>
}

function share(
  openDatabase: OpenDatabase,
  create: (database: TestDatabase) => readonly string[],
  options: SqlAdapterOptions = {},
): () => Shared {
  const opened: TestDatabase[] = []
  const ready: Shared[] = []
  beforeAll(async () => {
    const database = await openDatabase()
    opened.push(database)
    await runAll(database, create(database))
    ready.push({ database, adapter: database.open(options) })
  }, 30_000)
  afterAll(async () => {
    for (const database of opened) await database.close()
  })
  return () => {
    const [shared] = ready
    if (!shared) throw new Error("the database did not open")
    return shared
  }
}

/** `except`: checks of what the tables of others do not promise. */
function testContract(shared: () => Shared, options: AdapterContractOptions, except = /^$/): void {
  const checks = adapterContract({ milliseconds: true, ...options }).filter(({ name }) => !except.test(name))
  it.each(checks.map((check) => [check.name, check] as const))("%s", (_, { run }) => run(shared().adapter), 15_000)
}

const created =
  (options: SqlAdapterOptions = {}) =>
  ({ dialect }: TestDatabase) =>
    createStatements({ ...options, dates: undefined, dialect })

const person = (fields: Readonly<Record<string, unknown>> = {}): AdapterUser => ({
  id: crypto.randomUUID(),
  email: `${crypto.randomUUID()}@example.com`,
  emailVerified: null,
  ...fields,
})

const account = (fields: Readonly<Record<string, unknown>> = {}) => ({
  type: "oidc" as const,
  provider: "acme",
  providerAccountId: crypto.randomUUID(),
  ...fields,
})

const inAnHour = (): Date => new Date(Date.now() + 3_600_000)

const session = (userId: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  sessionToken: crypto.randomUUID(),
  userId,
  expires: inAnHour(),
  ...fields,
})

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (thrown) {
    return thrown
  }
  throw new Error("it should throw")
}

/**
 * `hasLooseKeys`: the usual keys of this database take ids for the same that we tell apart, and without keys nothing
 * makes two first sign-ins wait for each other.
 */
export function testSqlStore(openDatabase: OpenDatabase, { hasLooseKeys = false } = {}): void {
  describe.each(["text", "uuid", "integer"] as const)("the contract, with %s ids:", (ids) => {
    testContract(share(openDatabase, created({ ids }), { ids }), { methods: allMethods })
  })

  describe("the contract, with names of the application's own:", () => {
    testContract(share(openDatabase, created(ownNames), ownNames), { methods: allMethods })
  })

  testExistingTables(
    openDatabase,
    hasLooseKeys ? /told apart by case, accents and trailing spaces|parallel createUserWithAccount/ : undefined,
  )
  testFurtherColumns(openDatabase)
  testIds(openDatabase)
  testBehaviour(openDatabase)
  testFaults(openDatabase)
}

/** The parts in which databases differ most, for a server that the other tests have to wait for. */
export function testSqlStoreBriefly(openDatabase: OpenDatabase): void {
  describe("the contract, with text ids:", () => {
    testContract(share(openDatabase, created()), { methods: allMethods })
  })

  testIds(openDatabase)
  testBehaviour(openDatabase)
  testFaults(openDatabase)
}

const allMethods: readonly AdapterMethod[] = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "getAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "createAuthenticator",
  "getAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
  "createUserWithAccount",
  "updateAccount",
  "listAccountsByUserId",
  "listSessionsByUserId",
  "deleteSessionsByUserId",
  "deleteExpired",
]

const withoutPasskeys = allMethods.filter((method) => !/Authenticator/.test(method))

const ownNames: SqlAdapterOptions = {
  tables: {
    users: "people",
    accounts: "identities",
    sessions: "user",
    verificationTokens: "order",
    authenticators: "keys",
  },
  columns: {
    users: { id: "person_id", emailVerified: "email_verified_at", name: "display name" },
    accounts: { userId: "person", providerAccountId: "subject", expires_at: "until", refresh_token: "select" },
    sessions: { sessionToken: "token", userId: "person", expires: 'ends"at' },
    verificationTokens: { identifier: "address", expires: "ends_at" },
    authenticators: { credentialID: "credential", counter: "group" },
  },
}

function testExistingTables(openDatabase: OpenDatabase, loose = /^$/): void {
  const generated = ["createdAt", "updatedAt"]

  describe("tables of @auth/kysely-adapter:", () => {
    const create = ({ dialect }: TestDatabase) => kyselyTables(dialect)
    const unique = ["email", "sessionToken"] as const
    testContract(share(openDatabase, create, { tables: "kysely" }), { methods: withoutPasskeys, unique }, loose)
  })

  describe("tables of @auth/drizzle-adapter:", () => {
    const create = ({ dialect }: TestDatabase) => drizzleTables(dialect)
    testContract(share(openDatabase, create, { tables: "drizzle" }), { methods: allMethods }, loose)
  })

  describe("tables of @auth/prisma-adapter:", () => {
    const create = ({ dialect }: TestDatabase) => prismaTables(dialect)
    const shared = share(openDatabase, create, { tables: "prisma" })
    const except = new RegExp(`^updateUser|without an e-mail address|${loose.source}`)
    testContract(shared, { methods: allMethods, generated }, except)

    it("updateUser and updateSession tell when it was, as Prisma does", async () => {
      const { adapter } = shared()
      const long = new Date("2020-01-01T00:00:00Z")
      const user = await adapter.createUser(person({ createdAt: long, updatedAt: long }))
      expect(user).toMatchObject({ createdAt: long, updatedAt: long })
      const updated = await adapter.updateUser({ id: user.id, name: "Ada" })
      expect(updated).toEqual({ ...user, name: "Ada", updatedAt: expect.any(Date) })
      expect(updated).not.toMatchObject({ updatedAt: long })
    })
  })
}

/** Tables of `@auth/pg-adapter`, which knows PostgreSQL only. */
export function testPgAdapterTables(openDatabase: OpenDatabase): void {
  describe.each([{ ids: "integer" }, {}] as const)("tables of @auth/pg-adapter, with %j:", (options) => {
    testContract(
      share(openDatabase, () => pgTables, options),
      { methods: withoutPasskeys, unique: [] },
    )
  })
}

function testFurtherColumns(openDatabase: OpenDatabase): void {
  describe("further columns:", () => {
    const columns = ({ dialect }: TestDatabase): readonly string[] => [
      ...createStatements({ dialect }),
      "alter table users add column role varchar(20) default 'member'",
      "alter table users add column age integer",
      "alter table users add column notes text",
      "alter table accounts add column label varchar(20)",
      "alter table sessions add column device varchar(50)",
    ]
    const shared = share(openDatabase, columns)

    describe("the contract:", () => {
      testContract(shared, {
        methods: allMethods,
        fields: { user: { role: "admin", age: 36 }, account: { label: "work" }, session: { device: "phone" } },
      })
    })

    it("come back as the database filled them in, also with a session", async () => {
      const { adapter } = shared()
      const user = await adapter.createUser(person())
      expect(user).toMatchObject({ role: "member", age: null })
      const { sessionToken } = await adapter.createSession(session(user.id))
      const found = await adapter.getSessionAndUser(sessionToken)
      expect(found?.user).toEqual(user)
      expect(found?.session).toMatchObject({ device: null })
    })

    it("are changed by updateUser, and emptied by null, while undefined leaves them alone", async () => {
      const { adapter } = shared()
      const user = await adapter.createUser(person({ role: "admin", age: 36 }))
      await adapter.updateUser({ id: user.id, ...{ role: undefined, age: null } })
      expect(await adapter.getUser(user.id)).toMatchObject({ role: "admin", age: null })
    })

    it("keep lists and records as JSON, and whole numbers whole", async () => {
      const { adapter } = shared()
      const list = await adapter.createUser(person({ notes: [{ a: 1 }, "b"] }))
      expect(list).toMatchObject({ notes: '[{"a":1},"b"]' })
      expect(await adapter.createUser(person({ notes: 5 }))).toMatchObject({ notes: "5" })
    })

    it("take a boolean where there are none", async () => {
      const user = await shared().adapter.createUser(person({ notes: true }))
      expect(user).toHaveProperty("notes")
    })

    it("that are not there are left out, whatever is given for them", async () => {
      const { adapter } = shared()
      const foreign = {
        nickname: "A",
        list: [1],
        run: () => 1,
        symbol: Symbol("s"),
        moment: new Date(),
        nothing: undefined,
      }
      const user = await adapter.createUser(person(foreign))
      expect(user).not.toHaveProperty("nickname")
      const linked = await adapter.linkAccount({ ...account(foreign), userId: user.id })
      expect(linked).not.toHaveProperty("nickname")
      const created = await adapter.createSession({ ...session(user.id), ...foreign })
      expect(created).not.toHaveProperty("nickname")
      expect(await adapter.updateUser({ id: user.id, ...foreign })).toEqual(user)
    })
  })
}

function testIds(openDatabase: OpenDatabase): void {
  describe("ids:", () => {
    describe.each([undefined, "text"] as const)("text, when the option says %s", (ids) => {
      const shared = share(openDatabase, created(), { ids })

      it("are kept as they were given", async () => {
        const { adapter } = shared()
        const user = await adapter.createUser(person({ id: "a-B" }))
        expect(user.id).toBe("a-B")
        expect(await adapter.getUser("a-b")).toBeNull()
      })

      it("are made where none is given", async () => {
        const { adapter } = shared()
        const user = await adapter.createUser(person({ id: undefined }))
        expect(user.id).toMatch(/^[0-9a-f-]{36}$/)
        expect(await adapter.getUser(user.id)).toEqual(user)
      })
    })

    describe("uuid", () => {
      const shared = share(openDatabase, created({ ids: "uuid" }), { ids: "uuid" })

      it("are kept when they are UUIDs, and made when not", async () => {
        const { adapter } = shared()
        const { id } = person()
        expect((await adapter.createUser(person({ id }))).id).toBe(id)
        expect((await adapter.createUser(person({ id: "ada" }))).id).toMatch(/^[0-9a-f-]{36}$/)
      })

      it("that are malformed find nothing, and own nothing", async () => {
        const { adapter } = shared()
        expect(await adapter.listSessionsByUserId("ada")).toEqual([])
        expect(await adapter.deleteSessionsByUserId("ada")).toBe(0)
        expect(await adapter.deleteUser("ada")).toBeNull()
        await expect(adapter.createSession(session("ada"))).rejects.toThrow("userId is no uuid id")
      })
    })

    // SQLite tells a UUID by the option only: it has no type for one.
    describe.each([undefined, "integer"] as const)("integer, when the option says %s", (ids) => {
      const shared = share(openDatabase, created({ ids: "integer" }), { ids })

      it("are counted by the database, and texts for whoever asks", async () => {
        const { adapter } = shared()
        const user = await adapter.createUserWithAccount(person(), account())
        if (!user) throw new Error("it should create the user")
        expect(user.id).toMatch(/^\d+$/)
        expect(await adapter.listAccountsByUserId(user.id)).toEqual([expect.objectContaining({ userId: user.id })])
      })

      it("above 2^53 are told apart to the last digit", async () => {
        const { adapter, database } = shared()
        const large = ["9007199254740992", "9007199254740993", "1800000000000000123"]
        for (const id of large)
          await database.query(`insert into users (id, email) values (${id}, '${id}@example.com')`)
        for (const id of large) {
          expect(await adapter.getUser(id)).toMatchObject({ id, email: `${id}@example.com` })
          const { sessionToken } = await adapter.createSession(session(id))
          expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({ session: { userId: id }, user: { id } })
          const linked = account()
          await adapter.linkAccount({ ...linked, userId: id })
          expect(await adapter.getUserByAccount(linked)).toMatchObject({ id })
          expect(await adapter.getAccount(linked.providerAccountId, "acme")).toMatchObject({ userId: id })
          expect(await adapter.updateUser({ id, name: id })).toMatchObject({ id, name: id })
        }
        expect(await adapter.deleteUser("9007199254740993")).toMatchObject({ id: "9007199254740993" })
        expect(await adapter.getUser("9007199254740992")).not.toBeNull()
      })

      it("above 2^53 are counted on", async () => {
        const { adapter, database } = shared()
        if (database.dialect === "postgres")
          await database.query("alter table users alter id restart with 1800000000000000201")
        else await database.query("insert into users (id) values (1800000000000000200)")
        for (const last of ["1", "2", "3"]) {
          const given = person()
          const user = await adapter.createUserWithAccount(given, account())
          expect(user).toMatchObject({ id: `180000000000000020${last}`, email: given.email })
          expect(await adapter.listAccountsByUserId(user?.id ?? "")).toHaveLength(1)
        }
        expect(await adapter.createUser(person())).toMatchObject({ id: "1800000000000000204" })
      })

      it.each(["1x", "1.0", "1e0", "01", " 1", "-1", "9".repeat(30), "9223372036854775808", "2147483648", ""])(
        "that are malformed find nobody: %j",
        async (id) => {
          const { adapter } = shared()
          await adapter.createUser(person())
          expect(await adapter.getUser(id)).toBeNull()
          expect(await adapter.deleteUser(id)).toBeNull()
        },
      )
    })
  })
}

function testBehaviour(openDatabase: OpenDatabase): void {
  describe("two adapters on one database", () => {
    const shared = share(openDatabase, created())

    it("give a verification token to one of 50 that ask at once", async () => {
      const adapters = [shared().adapter, shared().database.open()]
      const token = { identifier: "ada@example.com", token: "T".repeat(64), expires: inAnHour() }
      await shared().adapter.createVerificationToken(token)
      const uses = Array.from({ length: 50 }, async (_, index) => adapters[index % 2]?.useVerificationToken(token))
      const winners = (await Promise.all(uses)).filter((used) => used !== null)
      expect(winners).toEqual([token])
    })

    it("prolong a session that a third ends, and never bring it back", async () => {
      const { adapter, database } = shared()
      const other = database.open()
      const { id } = await adapter.createUser(person())
      const { sessionToken } = await adapter.createSession(session(id))
      const expires = new Date(Date.now() + 7_200_000)
      const both = await Promise.all(
        [adapter, other].map(async (each) => each.updateSession({ sessionToken, expires })),
      )
      expect(both).toEqual([expect.objectContaining({ expires }), expect.objectContaining({ expires })])
      await other.deleteSession(sessionToken)
      expect(await adapter.updateSession({ sessionToken, expires })).toBeNull()
      expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    })
  })

  describe("two tokens that are the same, where the table lets them be", () => {
    const shared = share(
      openDatabase,
      ({ dialect }) => kyselyTables(dialect).map((statement) => statement.replace(/(token \S+ not null) unique/, "$1")),
      { tables: "kysely" },
    )

    it("are one token, and spent together", async () => {
      const { adapter } = shared()
      const token = { identifier: "ada@example.com", token: "t".repeat(64), expires: inAnHour() }
      await adapter.createVerificationToken(token)
      await adapter.createVerificationToken(token)
      expect(await adapter.useVerificationToken(token)).toEqual(token)
      expect(await adapter.useVerificationToken(token)).toBeNull()
    })
  })

  describe("an application's own methods", () => {
    const shared = share(openDatabase, created())

    it.each(["createUser", "linkAccount"] as const)(
      "take over: with %s, createUserWithAccount leaves it to them",
      async (name) => {
        const { adapter } = shared()
        const own: Required<Adapter> = { ...adapter, [name]: () => Promise.reject(new Error("unused")) }
        expect(await own.createUserWithAccount(person(), account())).toBeNull()
      },
    )

    it("beside ours leave the transaction alone", async () => {
      const own: Required<Adapter> = { ...shared().adapter, getUser: () => null }
      expect(await own.createUserWithAccount(person(), account())).not.toBeNull()
    })
  })

  describe("deleteUser where nothing refers to users", () => {
    const unreferenced = ({ dialect }: TestDatabase) =>
      createStatements({ dialect }).map((statement) => statement.replaceAll(/,\n *foreign key[^\n]*cascade/g, ""))
    const shared = share(openDatabase, unreferenced)

    it("removes what was theirs, all the same", async () => {
      const { adapter, database } = shared()
      const user = await adapter.createUserWithAccount(person(), account())
      if (!user) throw new Error("it should create the user")
      await adapter.createSession(session(user.id))
      await adapter.createAuthenticator({
        userId: user.id,
        credentialID: "c",
        credentialPublicKey: "k",
        counter: 0,
        credentialDeviceType: "singleDevice",
        credentialBackedUp: true,
        providerAccountId: "c",
      })
      expect(await adapter.deleteUser(user.id)).toEqual(user)
      for (const table of ["users", "accounts", "sessions", "authenticators"])
        expect(await database.query(`select * from ${table}`)).toEqual([])
    })
  })

  describe("an account whose user was deleted by hand, where nothing refers to users", () => {
    const unreferenced = ({ dialect }: TestDatabase) =>
      createStatements({ dialect }).map((statement) => statement.replaceAll(/,\n *foreign key[^\n]*cascade/g, ""))
    const shared = share(openDatabase, unreferenced)

    it("makes way for the person's next sign-in, and no other does", async () => {
      const { adapter, database } = shared()
      const [own, other] = [account(), account()]
      const bystander = await adapter.createUserWithAccount(person(), other)
      const gone = await adapter.createUserWithAccount(person(), own)
      await database.query(`delete from users where id = '${gone?.id ?? ""}'`)
      expect(await adapter.getUserByAccount(own)).toBeNull()
      const user = await adapter.createUserWithAccount(person(), own)
      expect(await adapter.getUserByAccount(own)).toEqual(user)
      expect(await adapter.listAccountsByUserId(gone?.id ?? "")).toEqual([])
      for (const taken of [own, other])
        await expect(adapter.createUserWithAccount(person(), taken)).rejects.toThrow("the account is linked already")
      expect(await adapter.getUserByAccount(other)).toEqual(bystander)
    })

    it("stays when the new user cannot be created", async () => {
      const { adapter, database } = shared()
      const own = account()
      const taken = await adapter.createUser(person())
      const gone = await adapter.createUserWithAccount(person(), own)
      await database.query(`delete from users where id = '${gone?.id ?? ""}'`)
      await expect(adapter.createUserWithAccount(person({ email: taken.email }), own)).rejects.toThrow()
      expect(await adapter.listAccountsByUserId(gone?.id ?? "")).toHaveLength(1)
    })
  })

  describe("deleteExpired", () => {
    const shared = share(openDatabase, created())

    it("deletes thousands, and none that is still good", async () => {
      const { adapter, database } = shared()
      const { id } = await adapter.createUser(person())
      const live = await adapter.createSession(session(id))
      const [token, owner] = ["sessionToken", "userId"].map((name) => quoteName(database.dialect, name))
      const type = database.dialect === "mysql" ? "char" : "text"
      await database.query(`insert into sessions (${token}, ${owner}, expires)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 50)
        select cast(1000 * a.i + b.i as ${type}), '${id}', '2020-01-01 00:00:00' from n a cross join n b`)
      expect(await adapter.deleteExpired()).toEqual({ sessions: 2500, verificationTokens: 0 })
      expect(await adapter.listSessionsByUserId(id)).toEqual([live])
    }, 20_000)
  })

  describe("what is stored as UTC", () => {
    const shared = share(openDatabase, ({ dialect }) => drizzleTables(dialect), { tables: "drizzle" })

    it("is what other programs will read", async () => {
      const { adapter, database } = shared()
      const { id } = await adapter.createUser(person({ emailVerified: new Date("2026-07-01T10:20:30.456Z") }))
      const table = quoteName(database.dialect, "user")
      const type = database.dialect === "mysql" ? "char" : "text"
      const [row] = await database.query(
        `select cast(${quoteName(database.dialect, "emailVerified")} as ${type}) as moment from ${table} where id = '${id}'`,
      )
      expect(["2026-07-01 10:20:30.456", String(Date.UTC(2026, 6, 1, 10, 20, 30, 456))]).toContain(row?.["moment"])
    })
  })
}

function testFaults(openDatabase: OpenDatabase): void {
  describe("faults:", () => {
    const shared = share(openDatabase, created())

    it("a token that is taken is refused without being told", async () => {
      const { adapter } = shared()
      const { id } = await adapter.createUser(person())
      const taken = session(id)
      await adapter.createSession(taken)
      const error = await thrownBy(() => adapter.createSession(taken))
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(taken.sessionToken)
      expect(error).toHaveProperty("code")
    })

    it("an address that is taken is refused without being told", async () => {
      const { adapter } = shared()
      const { email } = await adapter.createUser(person())
      const error = await thrownBy(() => adapter.createUserWithAccount(person({ email }), account()))
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(email)
    })

    it("a key with a NUL is refused: some drivers would cut it off", async () => {
      const { adapter } = shared()
      const { id } = await adapter.createUser(person())
      await expect(adapter.linkAccount({ ...account({ providerAccountId: "ada\0x" }), userId: id })).rejects.toThrow(
        "providerAccountId must be a text without NUL",
      )
      expect((await adapter.createUser(person({ name: "A\0da" }))).name).toBe("Ada")
    })

    it("values that are no text find nothing, and null is not an empty column", async () => {
      const { adapter } = shared()
      const { id } = await adapter.createUser(person({ email: undefined }))
      // What JavaScript, which knows no types, may pass on.
      for (const value of [undefined, null, {}, [], true, Number.NaN] as unknown as readonly string[]) {
        expect(await adapter.getUser(value)).toBeNull()
        expect(await adapter.getUserByEmail(value)).toBeNull()
        expect(await adapter.getSessionAndUser(value)).toBeNull()
        expect(await adapter.useVerificationToken({ identifier: value, token: value })).toBeNull()
        expect(await adapter.deleteSessionsByUserId(value)).toBe(0)
      }
      expect(await adapter.getUser(id)).not.toBeNull()
    })

    it("a date that is none is refused", async () => {
      const { adapter } = shared()
      const { id } = await adapter.createUser(person())
      await expect(adapter.createSession(session(id, { expires: new Date(Number.NaN) }))).rejects.toThrow(
        "expected a date",
      )
    })

    it("updateUser of nobody throws", async () => {
      await expect(shared().adapter.updateUser({ id: "nobody", name: "N" })).rejects.toThrow("there is no user")
    })
  })

  describe("a table that is missing", () => {
    const shared = share(openDatabase, () => [])

    it("is named, and found once it is there", async () => {
      const { adapter, database } = shared()
      await expect(adapter.createUser(person())).rejects.toThrow(
        "Table users: there is no such table. `npx latchkey schema` prints what is needed; the option tables.users tells other names",
      )
      await runAll(database, createStatements({ dialect: database.dialect }))
      expect((await adapter.createUser(person())).id).toBeDefined()
    })

    it("does not keep a user from being deleted", async () => {
      const { adapter, database } = shared()
      await database.query("drop table authenticators")
      const { id } = await adapter.createUser(person())
      await database.open().deleteUser(id)
      expect(await adapter.getUser(id)).toBeNull()
    })
  })

  describe("a column that is missing", () => {
    const shared = share(openDatabase, ({ dialect }) =>
      createStatements({ dialect, columns: { accounts: { userId: "owner" } } }),
    )

    it("is named", async () => {
      const { adapter } = shared()
      const { id } = await adapter.createUser(person())
      await expect(adapter.linkAccount({ ...account(), userId: id })).rejects.toThrow(
        "Table accounts: it has no column userId. `npx latchkey schema` prints what is needed; the option columns.accounts.userId tells other names",
      )
    })
  })
}
