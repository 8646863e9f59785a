import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals"
import mysql from "mysql2/promise"
import { presets, schema, tableKeys } from "../../src/adapters/sql/schema.js"
import { readMysql } from "../../src/cli/check/read-mysql.js"
import { checkWithJson, runCli, variants } from "../cli/run-cli.js"
import { startSilentServer } from "../cli/silent-server.js"

const address = process.env.LATCHKEY_TEST_MYSQL ?? "mysql://root@127.0.0.1:3306/test"
const name = `latchkey_cli_${randomBytes(6).toString("hex")}`
const connection = await mysql.createConnection({ uri: address, multipleStatements: true })

beforeAll(() => connection.query(`create database ${name}`))

afterAll(async () => {
  await connection.query(`drop database if exists ${name}; drop user if exists ${name}@'%'`)
  await connection.end()
})

/** The address of the test's own database. */
function urlOf(change?: (url: URL) => void): string {
  const url = new URL(address)
  url.pathname = `/${name}`
  change?.(url)
  return url.href
}

/** The database, with nothing in it but what these statements make. */
async function fill(sql: string): Promise<string> {
  await connection.query(`drop database if exists ${name}; create database ${name}; use ${name}`)
  await connection.query(sql)
  return urlOf()
}

async function printSchema(...options: readonly string[]): Promise<string> {
  return (await runCli(["schema", "--dialect", "mysql", ...options])).stdout
}

/** Whatever the findings say that helps, done. */
async function follow(findings: readonly { readonly fix: readonly string[] }[]): Promise<void> {
  for (const { fix } of findings) for (const statement of fix) await connection.query(statement)
}

/** The definitions of all tables. */
async function lookAt(): Promise<unknown> {
  const [tables] = await connection.query(
    "select table_name as name, create_time, update_time from information_schema.tables where table_schema = ?",
    [name],
  )
  const definitions = (tables as { readonly name: string }[]).map((table) =>
    connection.query(`show create table ${name}.\`${table.name}\``),
  )
  return [tables, (await Promise.all(definitions)).map(([rows]) => rows)]
}

const drizzle = `
  create table user (id varchar(255) primary key, name varchar(255), email varchar(255) unique,
    emailVerified timestamp(3) null, image varchar(255));
  create table account (userId varchar(255) not null, type varchar(255) not null, provider varchar(255) not null,
    providerAccountId varchar(255) not null, refresh_token varchar(255), access_token varchar(255), expires_at int,
    token_type varchar(255), scope varchar(255), id_token varchar(2048), session_state varchar(255),
    primary key (provider, providerAccountId), foreign key (userId) references user (id) on delete cascade);
  create table session (sessionToken varchar(255) primary key, userId varchar(255) not null, expires timestamp(3) not null,
    foreign key (userId) references user (id) on delete cascade);
  create table verificationToken (identifier varchar(255) not null, token varchar(255) not null,
    expires timestamp(3) not null, primary key (identifier, token));`

describe("what latchkey schema prints for MySQL", () => {
  it.each(variants)("passes the check: ids $ids, tables $tables", async ({ ids, tables }) => {
    const url = await fill(await printSchema("--ids", ids, "--tables", tables))
    expect(await checkWithJson(url, "--ids", ids, "--tables", tables)).toMatchObject({ exitCode: 0, findings: [] })
    const likely = { ids: ids === "uuid" ? "text" : ids, tables: tables === "prisma" ? "kysely" : tables }
    expect(await checkWithJson(url)).toMatchObject({ exitCode: 0, findings: [], ...likely })
  })

  it("can be run again", async () => {
    const sql = await printSchema()
    expect(await checkWithJson(await fill(sql + sql))).toMatchObject({ findings: [] })
  })
})

describe("latchkey schema --check of MySQL", () => {
  it("gives a database of the drizzle adapter advice, and no errors", async () => {
    const url = await fill(drizzle)
    const { findings, ...report } = await checkWithJson(url)
    expect(report).toMatchObject({ exitCode: 0, ok: true, tables: "drizzle", ids: "text" })
    const told = findings.map(({ severity, kind, table, columns }) => [severity, kind, table, ...columns].join(" "))
    expect(told).toEqual([
      "advice case account providerAccountId",
      "advice length account refresh_token",
      "advice length account access_token",
      "advice type account expires_at",
      "advice case session sessionToken",
      "advice index session expires",
      "advice index verificationToken expires",
      "advice table authenticator",
    ])
    await follow(findings)
    expect(await checkWithJson(url)).toMatchObject({ findings: [] })
  })

  it("prints statements that put right whatever can be put right", async () => {
    const url = await fill(`
      create table people (id bigint primary key);
      create table users (id int primary key, name text not null, email text, emailVerified datetime not null,
        picture text) default charset = latin1;
      insert into users (id, name, emailVerified) values (7, 'Someone', now());
      create table accounts (userId bigint not null, type enum('oauth', 'oidc') not null,
        provider varchar(20) not null, providerAccountId varchar(255) collate utf8mb4_bin not null, refresh_token text,
        access_token tinytext, expires_at int, token_type text, scope text, id_token text not null,
        session_state text, tenant varchar(20) not null, unique (provider, providerAccountId),
        constraint wrong foreign key (userId) references people (id));
      create table sessions (id int primary key, sessionToken text not null, userId bigint not null,
        expires varchar(40) not null, user_agent text, index (sessionToken(20), userId));
      create table verification_token (identifier text not null, token char(30) not null, expires date not null);`)
    const { findings, ...report } = await checkWithJson(url)
    expect(report).toMatchObject({ exitCode: 1, ok: false, tables: "pg", ids: "integer" })
    const told = findings.map(({ severity, kind, table, columns }) => [severity, kind, table, ...columns].join(" "))
    expect(told).toEqual([
      "error unfilled users id",
      "advice required users name",
      "error required users emailVerified",
      "advice column users image",
      "advice unique users email",
      "advice type accounts type",
      "advice length accounts provider",
      "advice length accounts access_token",
      "advice type accounts expires_at",
      "error required accounts id_token",
      "error unfilled accounts tenant",
      "error foreign-key accounts userId",
      "advice case sessions sessionToken",
      "error type sessions expires",
      "error unfilled sessions id",
      "advice unique sessions sessionToken",
      "advice index sessions userId",
      "advice index sessions expires",
      "advice foreign-key sessions userId",
      "error length verification_token token",
      "error type verification_token expires",
      "advice unique verification_token identifier token",
      "advice index verification_token expires",
      "advice table authenticators",
    ])
    await follow(findings)
    expect(await checkWithJson(url)).toMatchObject({ exitCode: 0, findings: [] })
    const [written] = await connection.query("insert into users () values ()")
    expect(written).toMatchObject({ insertId: 8 })
  })

  it("prints a foreign key that fits, whatever the ids are", async () => {
    for (const type of [
      "varchar(36) collate utf8mb4_general_ci",
      "char(36) character set ascii",
      "int unsigned auto_increment",
    ]) {
      const url = await fill(`create table users (id ${type} primary key, name text, email varchar(255) unique,
        emailVerified datetime(3), image text)`)
      const { findings } = await checkWithJson(url)
      expect(findings.map(({ kind }) => kind)).toEqual(["table", "table", "table", "table"])
      await follow(findings)
      expect(await checkWithJson(url)).toMatchObject({ findings: [] })
    }
  })

  it("names whatever column is missing", async () => {
    const url = await fill(await printSchema())
    const columns = tableKeys.flatMap((key) =>
      schema[key].columns.map(({ name }) => ({ table: presets.pg[key], name })),
    )
    const unnoticed: string[] = []
    for (const { table, name } of columns) {
      await connection.query(`alter table ${table} rename column ${name} to gone`)
      const { findings } = await checkWithJson(url, "--ids", "text")
      const own = findings.filter((finding) => finding.table === table && finding.kind === "column")
      if (!own.some((finding) => finding.columns.includes(name))) unnoticed.push(`${table}.${name}`)
      await connection.query(`alter table ${table} rename column gone to ${name}`)
    }
    expect(columns.length).toBeGreaterThan(20)
    expect(unnoticed).toEqual([])
    expect(await checkWithJson(url)).toMatchObject({ findings: [] })
  })

  it("names keys and indexes that are taken away", async () => {
    const url = await fill(`${await printSchema()}
      alter table users drop key email;
      alter table accounts drop primary key;
      alter table sessions drop key sessions_expires_idx, drop foreign key sessions_ibfk_1;
      alter table sessions drop key sessions_userId_idx;`)
    const { findings } = await checkWithJson(url)
    expect(findings.map(({ kind, table, columns }) => [kind, table, ...columns].join(" "))).toEqual([
      "unique users email",
      "unique accounts provider providerAccountId",
      "index sessions userId",
      "index sessions expires",
      "foreign-key sessions userId",
    ])
  })
})

describe("a check of MySQL writes nothing", () => {
  it("as a user who may only read", async () => {
    await fill(await printSchema())
    await connection.query(`create user ${name}@'%' identified by 'hunter2'; grant select on ${name}.* to ${name}@'%'`)
    const before = await lookAt()
    const url = urlOf((own) => {
      own.username = name
      own.password = "hunter2"
    })
    expect(await checkWithJson(url)).toMatchObject({ exitCode: 0, findings: [] })
    expect(await lookAt()).toEqual(before)
  })

  it("even where it finds much to do", async () => {
    const url = await fill(drizzle)
    const before = await lookAt()
    await runCli(["schema", "--check", url])
    expect(await lookAt()).toEqual(before)
  })
})

describe("a MySQL database that cannot be read", () => {
  const wrong = (url: URL) => (url.password = "hunter2")

  it.each([
    ["of another name", (url: URL) => (url.pathname = "/no_such_database"), "there is no database of this name"],
    ["with another password", wrong, "the user or the password is refused"],
    ["at another port", (url: URL) => [wrong(url), (url.port = "1")], "nothing answers"],
  ])("%s: is told without the password", async (_, change, message) => {
    const { exitCode, stdout, stderr } = await runCli(["schema", "--check", urlOf(change)])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toContain(`latchkey schema: the database cannot be read: ${message}`)
    expect(stderr).not.toContain("hunter2")
  })

  it("because it never answers: is given up", async () => {
    const server = await startSilentServer()
    const reading = { folder: process.cwd(), patienceMs: 50, candidates: ["users"] }
    await expect(readMysql(`mysql://someone@127.0.0.1:${server.port}/app`, reading)).rejects.toThrow(/ETIMEDOUT/)
    await server.stop()
  })
})
