import { once } from "node:events"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import Libsql from "libsql"
import { SqliteAdapter, type SqliteDatabase } from "../../../src/adapters/sql.js"
import { openSqlite } from "../../../src/adapters/sql/open-sqlite.js"
import { runChild, startChild, textOf } from "./children/run-child.js"
import { sqliteDrivers, temporaryFolder } from "./sqlite-databases.js"

const person = (fields = {}) => ({ id: crypto.randomUUID(), email: "ada@example.com", emailVerified: null, ...fields })
const inAnHour = () => new Date(Date.now() + 3_600_000)
const session = (userId: string, sessionToken = crypto.randomUUID()) => ({ sessionToken, userId, expires: inAnHour() })

const folders: ReturnType<typeof temporaryFolder>[] = []

beforeEach(() => void folders.push(temporaryFolder()))
afterEach(() => folders.splice(0).forEach(({ remove }) => remove()))

const newFile = (): string => join(folders[0]?.path ?? "", "app.db")

describe("SqliteAdapter with a path", () => {
  it("creates the file, for its owner alone, and the tables", async () => {
    const path = newFile()
    const adapter = SqliteAdapter(path)
    await adapter.createUser(person())
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600)
    adapter.close()
  })

  it.each([
    ["file:", ""],
    ["file://", ""],
    ["file://localhost", ""],
    ["file:", "?cache=private"],
    ["file:", "?mode=rwc#part"],
  ])("creates it for its owner alone, also as an address: %s…%s", async (before, after) => {
    const path = newFile()
    const umask = process.umask(0o022)
    const adapter = SqliteAdapter(`${before}${path.replace("app.db", "app%2Edb")}${after}`)
    await adapter.createUser(person())
    process.umask(umask)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    adapter.close()
  })

  it.each(["file::memory:", "file:app.db?mode=memory", "file:?mode=memory", "file:app.db?cache=shared&mode=memory"])(
    "creates no file for %s",
    (address) => {
      SqliteAdapter(address).close()
      expect(existsSync("app.db")).toBe(false)
      expect(existsSync(":memory:")).toBe(false)
    },
  )

  it("creates no file where the address says that there is one", () => {
    const path = newFile()
    expect(() => SqliteAdapter(`file:${path}?mode=rw`)).toThrow("SqliteAdapter could not open file:")
    expect(existsSync(path)).toBe(false)
  })

  it("keeps what it has when it is opened again", async () => {
    const path = newFile()
    const first = SqliteAdapter(path)
    const user = await first.createUser(person())
    first.close()
    const second = SqliteAdapter(path)
    expect(await second.getUserByEmail(user.email)).toEqual(user)
    second.close()
  })

  it("lets others read while it writes", () => {
    const path = newFile()
    const adapter = SqliteAdapter(path)
    expect(new Libsql(path).prepare("pragma journal_mode").all()).toEqual([{ journal_mode: "wal" }])
    adapter.close()
  })

  it("does not read or write any more once it is closed", async () => {
    const adapter = SqliteAdapter(":memory:")
    await adapter.getUser("ada")
    adapter.close()
    await expect(adapter.getUser("ada")).rejects.toThrow()
  })

  it("keeps users of their own in :memory:", async () => {
    const [one, other] = [SqliteAdapter(":memory:"), SqliteAdapter(":memory:")]
    const { id } = await one.createUser(person())
    expect(await one.getUser(id)).not.toBeNull()
    expect(await other.getUser(id)).toBeNull()
  })

  it("waits two seconds at most for others that write, as the whole process waits", () => {
    const database = openSqlite(newFile())
    expect(database.prepare("pragma busy_timeout").all()).toEqual([{ timeout: 2000 }])
    database.close()
  })

  it("says which file it cannot open", () => {
    expect(() => SqliteAdapter("/no/such/folder/app.db")).toThrow("SqliteAdapter could not open /no/such/folder/app.db")
  })

  it("leaves the tables alone when it is told so", async () => {
    const adapter = SqliteAdapter(":memory:", { createTables: false })
    await expect(adapter.createUser(person())).rejects.toThrow("Table users: there is no such table")
  })

  it.each([
    [{ tables: "unknown" }, 'tables must be one of pg, kysely, drizzle, prisma or a map of names, got "unknown"'],
    [{ tables: { user: "u" } }, "tables.user: no such table; expected one of users, accounts"],
    [{ tables: { users: "" } }, "tables.users must be a name, got string"],
    [{ columns: { people: {} } }, "columns.people: no such table"],
    [{ columns: { users: { name: 1 } } }, "columns.users.name must be a name, got number"],
  ])("refuses %j", (options, message) => {
    expect(() => SqliteAdapter(":memory:", options as never)).toThrow(message)
  })

  it("says what to install where there is no driver", async () => {
    const output = await runChild("open-memory.ts", { preload: "hide-drivers.ts" })
    expect(output).toContain("SqliteAdapter needs Node 22.13 or later, or the package libsql: npm install libsql")
  }, 20_000)
})

describe("a file after a crash", () => {
  it("has every session that was acknowledged before kill -9", async () => {
    const path = newFile()
    const child = startChild("insert-sessions.ts", { args: [path] })
    const written = textOf(child.stdout)
    // The first lines have come, and more are on their way.
    if (child.stdout) await once(child.stdout, "data")
    child.kill("SIGKILL")
    const tokens = (await written).split("\n").filter((line) => line.length === 36)
    const adapter = SqliteAdapter(path)
    const lost = []
    for (const token of tokens) if (!(await adapter.getSessionAndUser(token))) lost.push(token)
    adapter.close()
    expect(tokens.length).toBeGreaterThan(0)
    expect(lost).toEqual([])
  }, 20_000)
})

describe("processes that share a file", () => {
  it("open it at once, write at once, and use each token once", async () => {
    const path = newFile()
    const adapter = SqliteAdapter(path)
    for (let index = 0; index < 50; index += 1)
      await adapter.createVerificationToken({ identifier: "a@example.com", token: `t${index}`, expires: inAnHour() })
    const outputs = await Promise.all([1, 2, 3].map(() => runChild("share-a-file.ts", { args: [path] })))
    expect(outputs.map(Number).reduce((sum, used) => sum + used)).toBe(50)
    adapter.close()
    const rows = new Libsql(path).prepare("select count(*) as sessions from sessions").all()
    expect(rows).toEqual([{ sessions: 150 }])
  }, 30_000)

  it("create the tables of a new one, all at once", async () => {
    const path = newFile()
    await Promise.all([1, 2, 3].map(() => runChild("share-a-file.ts", { args: [path] })))
    expect(new Libsql(path).prepare("select count(*) as users from users").all()).toEqual([{ users: 3 }])
  }, 30_000)
})

describe.each([...sqliteDrivers])("an open database of %s", (_name, open) => {
  /** Writes down every statement that is prepared, and every one that is run. */
  function watch(database: SqliteDatabase) {
    const [prepared, run]: [string[], string[]] = [[], []]
    const watched: SqliteDatabase = {
      prepare(sql) {
        prepared.push(sql)
        const statement = database.prepare(sql)
        return new Proxy(statement, {
          get(target, name) {
            const member: unknown = Reflect.get(target, name, target)
            if (typeof member !== "function") return member
            if (name === "get" || name === "all" || name === "run") run.push(sql)
            return member.bind(target) as unknown
          },
        })
      },
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
    }
    return { watched, prepared, run }
  }

  it("is read in one statement, prepared once, and answers without a promise", async () => {
    const { watched, prepared, run } = watch(open(":memory:"))
    const adapter = SqliteAdapter(watched)
    const user = await adapter.createUser(person())
    const given = session(user.id)
    await adapter.createSession(given)
    await adapter.getSessionAndUser(given.sessionToken)
    const [preparedBefore, runBefore] = [prepared.length, run.length]
    expect(adapter.getSessionAndUser(given.sessionToken)).toEqual({ session: given, user })
    expect(adapter.getSessionAndUser("other")).toBeNull()
    expect(prepared.length - preparedBefore).toBe(0)
    expect(run.length - runBefore).toBe(2)
  })

  it("prepares a statement once for many writes", async () => {
    const { watched, prepared } = watch(open(":memory:"))
    const adapter = SqliteAdapter(watched)
    const { id } = await adapter.createUser(person())
    for (let count = 0; count < 3; count += 1) await adapter.createSession(session(id))
    expect(prepared.filter((sql) => /^insert into "sessions"/.test(sql))).toHaveLength(1)
  })

  it("gives plain objects", async () => {
    const adapter = SqliteAdapter(open(":memory:"))
    const user = await adapter.createUser(person())
    expect(Object.getPrototypeOf(user)).toBe(Object.prototype)
    expect(Object.keys(user)).toEqual(["id", "name", "email", "emailVerified", "image"])
  })

  it("may be in a transaction of the application's own, which is then joined", async () => {
    const database = open(":memory:")
    const adapter = SqliteAdapter(database)
    const { id } = await adapter.createUser(person())
    database.exec("begin")
    await adapter.updateUser({ id, name: "Ada" })
    await expect(adapter.createUser(person())).rejects.toThrow()
    expect(await adapter.getUser(id)).toMatchObject({ name: "Ada" })
    database.exec("rollback")
    expect(await adapter.getUser(id)).toMatchObject({ name: null })
  })

  it("is left without an open transaction when a write fails", async () => {
    const database = open(":memory:")
    const adapter = SqliteAdapter(database)
    const { id } = await adapter.createUser(person())
    await expect(adapter.createUser(person())).rejects.toThrow("UNIQUE constraint failed")
    await adapter.createSession(session(id))
    expect(() => database.exec("begin; commit")).not.toThrow()
  })

  it("waits while another connection writes, and works on after it has given up", async () => {
    const path = newFile()
    const [own, other] = [open(path), open(path)]
    const adapter = SqliteAdapter(own)
    own.exec("pragma journal_mode = wal")
    own.exec("pragma busy_timeout = 20")
    const { id } = await adapter.createUser(person())
    other.exec("begin immediate")
    await expect(adapter.createSession(session(id))).rejects.toThrow("locked")
    other.exec("rollback")
    // Another statement than the one that failed.
    await adapter.updateUser({ id, name: "Ada" })
    expect(other.prepare("select name from users").all()).toEqual([{ name: "Ada" }])
  })

  describe("dates", () => {
    const moments = { past: new Date(Date.now() - 60_000), future: inAnHour() }

    it("are milliseconds in columns for numbers, ISO 8601 in others", async () => {
      const database = open(":memory:")
      const adapter = SqliteAdapter(database, { tables: "drizzle" })
      await adapter.createUser(person({ emailVerified: moments.past }))
      const rows = database
        .prepare(`select "emailVerified" as moment, typeof("emailVerified") as type from "user"`)
        .all()
      expect(rows).toEqual([expect.objectContaining({ moment: moments.past.getTime(), type: "integer" })])
    })

    it.each([
      ["text", `'${moments.past.toISOString()}'`, `'${moments.future.toISOString()}'`],
      ["text", "'2020-01-01 10:00:00'", `'${moments.future.toISOString().slice(0, 19).replace("T", " ")}'`],
      ["milliseconds", moments.past.getTime(), moments.future.getTime()],
    ] as const)("that have passed are told from others, kept as %s: %s", async (dates, past, future) => {
      const database = open(":memory:")
      const adapter = SqliteAdapter(database, { tables: "prisma", createTables: false, dates })
      for (const table of ["Session", "VerificationToken"])
        database.exec(
          `create table "${table}" ("sessionToken" text, "userId" text, identifier text, token text, expires datetime)`,
        )
      database.exec(`insert into "Session" values ('a', 'u', '', '', ${past}), ('b', 'u', '', '', ${future})`)
      // Dates of the other kind stay, as nothing tells whether they have passed.
      const other = dates === "text" ? moments.future.getTime() : `'${moments.future.toISOString()}'`
      database.exec(`insert into "Session" values ('c', 'u', '', '', ${other})`)
      expect(await adapter.deleteExpired()).toEqual({ sessions: 1, verificationTokens: 0 })
      const live = await adapter.listSessionsByUserId("u")
      expect(live.map(({ sessionToken }) => sessionToken).sort()).toEqual(["b", "c"])
    })
  })
})
