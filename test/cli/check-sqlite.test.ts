import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@jest/globals"
import Database from "libsql"
import { openSqlite } from "../../src/adapters/sql/open-sqlite.js"
import { checkWithJson, runCli, variants } from "./run-cli.js"

const folder = mkdtempSync(join(tmpdir(), "latchkey-cli-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A file with these statements run in it, in a folder of its own. */
function makeFile(sql: string): string {
  const path = join(mkdtempSync(join(folder, "db-")), "app.db")
  const database = new Database(path)
  database.exec(sql)
  database.close()
  return path
}

async function printSchema(...options: readonly string[]): Promise<string> {
  return (await runCli(["schema", "--dialect", "sqlite", ...options])).stdout
}

/** All that can be seen of a database and the files beside it: their names, and but for one their times and bytes. */
function lookAt(path: string, except?: string): unknown {
  const place = join(path, "..")
  return readdirSync(place)
    .sort()
    .map((name) => {
      if (name === except) return { name }
      const { mtimeNs } = statSync(join(place, name), { bigint: true })
      const hash = createHash("sha256")
        .update(readFileSync(join(place, name)))
        .digest("hex")
      return { name, mtimeNs, hash }
    })
}

describe("what latchkey schema prints for SQLite", () => {
  it.each(variants)("passes the check: ids $ids, tables $tables", async ({ ids, tables }) => {
    const path = makeFile(await printSchema("--ids", ids, "--tables", tables))
    const named = await checkWithJson(path, "--ids", ids, "--tables", tables)
    expect(named).toMatchObject({ exitCode: 0, ok: true, findings: [], ids, tables })
    const recognised = await checkWithJson(path)
    const likely = { ids: ids === "uuid" ? "text" : ids, tables: tables === "prisma" ? "kysely" : tables }
    expect(recognised).toMatchObject({ exitCode: 0, ok: true, findings: [], ...likely })
  })

  it.each(["text", "milliseconds"])("passes the check with dates as %s", async (dates) => {
    const path = makeFile(await printSchema("--dates", dates))
    expect(await checkWithJson(path)).toMatchObject({ ok: true, findings: [], dates })
    expect(await checkWithJson(path, "--dates", dates)).toMatchObject({ ok: true, findings: [] })
  })

  it("can be run again", async () => {
    const sql = await printSchema()
    expect(await checkWithJson(makeFile(sql + sql))).toMatchObject({ findings: [] })
  })
})

describe("latchkey schema --check of a SQLite file", () => {
  it("tells people that nothing is missing", async () => {
    const path = makeFile(await printSchema())
    expect(await runCli(["schema", "--check", path])).toEqual({
      exitCode: 0,
      stdout: "SQLite, compared with: tables pg, ids text, dates text\n\nNothing is missing.\n",
      stderr: "",
    })
  })

  it("tells people what is missing, why it matters, and the statement that helps", async () => {
    const path = makeFile(`${await printSchema()}
      alter table accounts drop column type;
      drop index sessions_userId_idx;
      drop table authenticators;`)
    const { exitCode, stdout, stderr } = await runCli(["schema", "--check", path])
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
    const [errors = "", advice = ""] = stdout.split("Advice: ")
    expect(errors).toContain(`sign-in will fail

  - the column accounts.type is missing
    The adapter cannot do without it.
      alter table "accounts" add column "type" text;
`)
    expect(advice).toContain(`
  - sessions has no index that begins with (userId)
    Without an index, finding or deleting the sessions of a user reads the whole table.
      create index "sessions_userId_idx" on "sessions" ("userId");
`)
    expect(advice).toContain("the table authenticators is missing")
    expect(advice).toContain("1 error, 2 pieces of advice. Nothing was changed")
  })

  it("wants everything of an empty file", async () => {
    const path = makeFile("")
    const { exitCode, findings } = await checkWithJson(path)
    expect(exitCode).toBe(1)
    expect(findings.map(({ table, severity }) => [table, severity])).toEqual([
      ["users", "error"],
      ["accounts", "error"],
      ["sessions", "error"],
      ["verification_token", "advice"],
      ["authenticators", "advice"],
    ])
    const fixed = makeFile(findings.flatMap(({ fix }) => fix).join(";\n"))
    expect(await checkWithJson(fixed)).toMatchObject({ findings: [] })
  })

  it("does not take what is unique, or indexed, of some rows only or of expressions", async () => {
    const path = makeFile(`${(await printSchema()).replace(/,\s*unique \("email"\)/, "")}
      create unique index some on users (email) where email is not null;
      create unique index together on users (email, lower(name));
      drop index sessions_userId_idx;
      create index whole on sessions (userId, lower(sessionToken));`)
    const { findings } = await checkWithJson(path)
    expect(findings.map(({ kind, table, columns }) => [kind, table, ...columns])).toEqual([
      ["unique", "users", "email"],
    ])
  })

  it("wants integer ids that SQLite numbers", async () => {
    const schema = (await printSchema("--ids", "integer")).replace(
      "integer primary key autoincrement",
      "int primary key",
    )
    const { findings } = await checkWithJson(makeFile(schema))
    expect(findings.map(({ kind, severity }) => [kind, severity])).toEqual([["unfilled", "error"]])
  })

  it("finds a foreign key that keeps rows, and takes one that names no column", async () => {
    const schema = await printSchema()
    const shortened = schema.replaceAll(`references "users" ("id")`, `references "users"`)
    expect(await checkWithJson(makeFile(shortened))).toMatchObject({ findings: [] })
    const keeping = schema.replaceAll(" on delete cascade", "")
    const { findings } = await checkWithJson(makeFile(keeping))
    expect(findings.map(({ kind, table }) => [kind, table])).toEqual([
      ["foreign-key", "accounts"],
      ["foreign-key", "sessions"],
      ["foreign-key", "authenticators"],
    ])
  })

  it("says which ids fit when others are asked for", async () => {
    const path = makeFile(await printSchema())
    const { exitCode, findings } = await checkWithJson(path, "--ids", "integer")
    expect(exitCode).toBe(1)
    expect(findings[0]).toMatchObject({ kind: "type", table: "users", columns: ["id"] })
    expect(findings[0]?.why).toContain('ids: "text"')
  })
})

describe("names that would steer a terminal", () => {
  const name = "x\u001b[2J\u009b1m\u202e\n      drop table users; --\r\u0007"
  const escaped = String.raw`x\u001b[2J\u009b1m\u202e\u000a      drop table users; --\u000d\u0007`

  async function nameSo(): Promise<string> {
    return makeFile((await printSchema()).replace('"image" text', `"image" text, "${name}" text not null`))
  }

  it("are written with escapes for people", async () => {
    const { stdout } = await runCli(["schema", "--check", await nameSo()])
    expect(stdout).toContain(`users.${escaped} wants a value`)
    expect(stdout).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  })

  it("are written with escapes for programs, who read them as they are", async () => {
    const { stdout, findings } = await checkWithJson(await nameSo())
    expect(findings).toMatchObject([{ columns: [name] }])
    expect(stdout).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  })
})

describe("a SQLite database of Auth.js", () => {
  it("made for the kysely adapter serves", async () => {
    const path = makeFile(`
      create table "User" ("id" varchar(255) primary key, "name" varchar(255), "email" varchar(255) unique,
        "emailVerified" text, "image" varchar(255));
      create table "Account" ("id" varchar(255), "userId" varchar(255) references "User" ("id") on delete cascade,
        "type" varchar(255) not null, "provider" varchar(255) not null, "providerAccountId" varchar(255) not null,
        "refresh_token" text, "access_token" text, "expires_at" bigint, "token_type" varchar(255), "scope" varchar(255),
        "id_token" text, "session_state" varchar(255));
      create table "Session" ("id" varchar(255), "userId" varchar(255) references "User" ("id") on delete cascade,
        "sessionToken" varchar(255) not null unique, "expires" text not null);
      create table "VerificationToken" ("identifier" varchar(255) not null, "token" varchar(255) not null unique,
        "expires" text not null);
      create index account_user on "Account" ("userId");`)
    const { findings, ...report } = await checkWithJson(path)
    expect(report).toMatchObject({ exitCode: 0, tables: "kysely", ids: "text", dates: "text" })
    expect(findings.filter(({ table }) => table === "Account")).toMatchObject([
      { severity: "advice", kind: "unique", columns: ["provider", "providerAccountId"] },
    ])
  })

  it("made for the drizzle adapter serves", async () => {
    const path = makeFile(`
      create table "user" ("id" text primary key, "name" text, "email" text unique, "emailVerified" integer, "image" text);
      create table "account" ("userId" text not null references "user" ("id") on delete cascade, "type" text not null,
        "provider" text not null, "providerAccountId" text not null, "refresh_token" text, "access_token" text,
        "expires_at" integer, "token_type" text, "scope" text, "id_token" text, "session_state" text,
        primary key ("provider", "providerAccountId"));
      create table "session" ("sessionToken" text primary key, "userId" text not null references "user" on delete cascade,
        "expires" integer not null);
      create table "verificationToken" ("identifier" text not null, "token" text not null, "expires" integer not null,
        primary key ("identifier", "token"));
      create table "authenticator" ("credentialID" text not null unique,
        "userId" text not null references "user" ("id") on delete cascade, "providerAccountId" text not null,
        "credentialPublicKey" text not null, "counter" integer not null, "credentialDeviceType" text not null,
        "credentialBackedUp" integer not null, "transports" text, primary key ("userId", "credentialID"));`)
    const { findings, ...report } = await checkWithJson(path)
    expect(report).toMatchObject({ exitCode: 0, tables: "drizzle", ids: "text", dates: "milliseconds" })
    expect(findings.map(({ kind, table, columns }) => [kind, table, ...columns])).toEqual([
      ["index", "account", "userId"],
      ["index", "session", "userId"],
      ["index", "session", "expires"],
      ["index", "verificationToken", "expires"],
    ])
  })
})

describe("a check of a SQLite file leaves everything as it was", () => {
  const schema = printSchema()

  it("with a rollback journal", async () => {
    const path = makeFile(await schema)
    const before = lookAt(path)
    expect(await checkWithJson(path)).toMatchObject({ findings: [] })
    expect(lookAt(path)).toEqual(before)
  })

  it("with a write-ahead log, at rest: it leaves no files that would keep the application out", async () => {
    const path = makeFile(`${await schema}; pragma journal_mode = delete`)
    // libsql closes a file when it is collected; so WAL is put into the header here.
    const bytes = readFileSync(path)
    bytes[18] = bytes[19] = 2
    writeFileSync(path, bytes)
    const before = lookAt(path)
    expect(await checkWithJson(path)).toMatchObject({ findings: [] })
    expect(lookAt(path)).toEqual(before)
  })

  it("with a write-ahead log, in use: it sees what was written last", async () => {
    const path = makeFile("")
    const application = openSqlite(path)
    application.exec(`pragma wal_autocheckpoint = 0; ${await schema}`)
    application.exec("begin immediate; insert into users (id) values ('someone')")
    // Readers of a log enter themselves into the file of its locks.
    const before = lookAt(path, "app.db-shm")
    expect(await checkWithJson(path)).toMatchObject({ findings: [] })
    expect(lookAt(path, "app.db-shm")).toEqual(before)
    application.exec("commit")
    application.close()
  })

  it("whatever the address asks for", async () => {
    const path = makeFile(await schema)
    const before = lookAt(path)
    expect(await checkWithJson(`file:${path}?mode=rwc`)).toMatchObject({ findings: [] })
    expect(lookAt(path)).toEqual(before)
  })

  it("that is not there: it is not created", async () => {
    const path = join(mkdtempSync(join(folder, "none-")), "app.db")
    for (const address of [path, `sqlite:${path}`, `file:${path}`])
      expect(await runCli(["schema", "--check", address])).toMatchObject({ exitCode: 2, stdout: "" })
    expect(readdirSync(join(path, ".."))).toEqual([])
  })

  it("that is none", async () => {
    const path = join(mkdtempSync(join(folder, "none-")), "app.db")
    writeFileSync(path, "This is no database, though it is as long as a page of one. ".repeat(100))
    const before = lookAt(path)
    const { exitCode, stdout, stderr } = await runCli(["schema", "--check", path])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toBe(
      "latchkey schema: the database cannot be read: the file is no SQLite database (SQLITE_NOTADB)\n",
    )
    expect(lookAt(path)).toEqual(before)
  })
})
