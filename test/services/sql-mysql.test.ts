import { afterAll, beforeAll, describe, expect, it } from "@jest/globals"
import mysql from "mysql2"
import mysqlPromise from "mysql2/promise"
import { MysqlAdapter } from "../../src/adapters/sql.js"
import { createStatements } from "../../src/adapters/sql/ddl.js"
import { openMysqlAt } from "../adapters/sql/server-databases.js"
import { testSqlStore } from "../adapters/sql/store-tests.js"
import { runAll, type TestDatabase } from "../adapters/sql/test-database.js"

const address = process.env.LATCHKEY_TEST_MYSQL ?? "mysql://root@127.0.0.1:3306/test"

describe("MySQL or MariaDB:", () => {
  testSqlStore(openMysqlAt(address), { hasLooseKeys: true })
})

const person = (fields = {}) => ({ id: crypto.randomUUID(), email: "ada@example.com", emailVerified: null, ...fields })
const inAnHour = () => new Date(Date.now() + 3_600_000)

/** Tables of an older database: every text in the collation that most servers have, or in a narrow character set. */
describe.each(["utf8mb4 collate utf8mb4_general_ci", "utf8mb3 collate utf8mb3_general_ci", "latin1", "ascii"])(
  "MySQL or MariaDB, keys in %s:",
  (characters) => {
    const opened: TestDatabase[] = []
    const adapter = () => {
      const [database] = opened
      if (!database) throw new Error("the database did not open")
      return database.open()
    }

    beforeAll(async () => {
      const database = await openMysqlAt(address)()
      opened.push(database)
      const statements = createStatements({ dialect: "mysql" }).map((statement) =>
        statement
          .replaceAll(
            /varchar\(\d+\) character set [^,]*? not null/g,
            `varchar(255) character set ${characters} not null`,
          )
          .replaceAll(/varchar\(\d+\) character set [^,]*?,\n/g, `varchar(255) character set ${characters},\n`),
      )
      await runAll(database, statements)
    })
    afterAll(async () => {
      for (const database of opened) await database.close()
    })

    it("an address is found in whatever case it was stored, but no other address", async () => {
      const user = await adapter().createUser(person({ email: "Ada@Example.com" }))
      expect(await adapter().getUserByEmail("ada@example.com")).toEqual(user)
      for (const other of [
        "àda@example.com",
        "ada@example.com ",
        "ada@exampl\u0117.com",
        "🚀@example.com",
        "\u212Aada",
      ])
        expect(await adapter().getUserByEmail(other)).toBeNull()
      await adapter().deleteUser(user.id)
    })

    it("a token and an account are found by themselves alone", async () => {
      const { id: userId } = await adapter().createUser(person())
      await adapter().createSession({ sessionToken: "Cafe", userId, expires: inAnHour() })
      await adapter().linkAccount({ userId, provider: "acme", providerAccountId: "Cafe", type: "oidc" })
      await adapter().createVerificationToken({ identifier: "Cafe", token: "Cafe", expires: inAnHour() })
      for (const other of ["cafe", "CAFE", "Café", "Cafe ", "Caf🚀", "Cafe\u0301"]) {
        expect(await adapter().getSessionAndUser(other)).toBeNull()
        expect(await adapter().updateSession({ sessionToken: other, expires: inAnHour() })).toBeNull()
        expect(await adapter().deleteSession(other)).toBeNull()
        expect(await adapter().getUserByAccount({ provider: "acme", providerAccountId: other })).toBeNull()
        expect(await adapter().unlinkAccount({ provider: "acme", providerAccountId: other })).toBeUndefined()
        expect(await adapter().useVerificationToken({ identifier: "Cafe", token: other })).toBeNull()
        expect(await adapter().useVerificationToken({ identifier: other, token: "Cafe" })).toBeNull()
        expect(await adapter().getUser(other)).toBeNull()
      }
      expect(await adapter().getSessionAndUser("Cafe")).not.toBeNull()
      expect(await adapter().getUserByAccount({ provider: "acme", providerAccountId: "Cafe" })).not.toBeNull()
      expect(await adapter().useVerificationToken({ identifier: "Cafe", token: "Cafe" })).not.toBeNull()
    })

    it("the exact comparison still goes through the index", async () => {
      const [database] = opened
      const plan = await database?.query(
        "explain select * from sessions where `sessionToken` = 'Cafe' and cast(convert(`sessionToken` using utf8mb4) as binary) = cast(convert('Cafe' using utf8mb4) as binary)",
      )
      expect(plan).toEqual([expect.objectContaining({ key: "PRIMARY", type: "const" })])
    })
  },
)

describe("MysqlAdapter", () => {
  it.each(["mysql2", "mysql2/promise"])("takes a pool of %s", async (driver) => {
    const pool = driver === "mysql2" ? mysql.createPool(address) : mysqlPromise.createPool(address)
    const columns = { users: { id: "no_such_column" } }
    await expect(async () => MysqlAdapter(pool, { columns }).getUser("ada")).rejects.toThrow("Table users: ")
    await ("promise" in pool ? pool.promise() : pool).end()
  })
})
