import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals"
import pg from "pg"
import { presets, schema, tableKeys } from "../../src/adapters/sql/schema.js"
import { readPostgres } from "../../src/cli/check/read-postgres.js"
import { checkWithJson, runCli, variants } from "../cli/run-cli.js"
import { startSilentServer } from "../cli/silent-server.js"

const address = process.env.LATCHKEY_TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/test"
const name = `latchkey_cli_${randomBytes(6).toString("hex")}`
const client = new pg.Client({ connectionString: address })

beforeAll(() => client.connect())

afterAll(async () => {
  await client.query(`drop schema if exists ${name} cascade; drop role if exists ${name}`)
  await client.end()
})

/** The address of the test's own schema. */
function urlOf(change?: (url: URL) => void): string {
  const url = new URL(address)
  url.searchParams.set("options", `-c search_path=${name}`)
  change?.(url)
  return url.href
}

/** The schema, with nothing in it but what these statements make. */
async function fill(sql: string): Promise<string> {
  await client.query(`drop schema if exists ${name} cascade; create schema ${name}; set search_path to ${name}`)
  await client.query(sql)
  return urlOf()
}

async function printSchema(...options: readonly string[]): Promise<string> {
  return (await runCli(["schema", "--dialect", "postgres", ...options])).stdout
}

/** Whatever the findings say that helps, done. */
async function follow(findings: readonly { readonly fix: readonly string[] }[]): Promise<void> {
  for (const { fix } of findings) for (const statement of fix) await client.query(statement)
}

/** All that is known of the schema. */
async function lookAt(): Promise<unknown> {
  const { rows } = await client.query(
    `select c.oid, c.relname, c.relkind, c.relfilenode, c.relacl, a.attname, a.atttypid, a.atttypmod, a.attnotnull, c.xmin, a.xmin
     from pg_class c left join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = $1::regnamespace order by c.oid, a.attnum`,
    [name],
  )
  return rows
}

// As https://authjs.dev/getting-started/adapters/pg has it.
const pgAdapter = `
  create table verification_token (identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token));
  create table accounts (id serial, "userId" integer not null, type varchar(255) not null, provider varchar(255) not null,
    "providerAccountId" varchar(255) not null, refresh_token text, access_token text, expires_at bigint, id_token text,
    scope text, session_state text, token_type text, primary key (id));
  create table sessions (id serial, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null, primary key (id));
  create table users (id serial, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text,
    primary key (id));`

describe("what latchkey schema prints for PostgreSQL", () => {
  it.each(variants)("passes the check: ids $ids, tables $tables", async ({ ids, tables }) => {
    const url = await fill(await printSchema("--ids", ids, "--tables", tables))
    expect(await checkWithJson(url, "--ids", ids, "--tables", tables)).toMatchObject({ exitCode: 0, findings: [] })
    const likely = { ids, tables: tables === "prisma" ? "kysely" : tables }
    expect(await checkWithJson(url)).toMatchObject({ exitCode: 0, findings: [], ...likely })
  })

  it("can be run again", async () => {
    const sql = await printSchema()
    expect(await checkWithJson(await fill(sql + sql))).toMatchObject({ findings: [] })
  })
})

describe("latchkey schema --check of PostgreSQL", () => {
  it("gives a database of @auth/pg-adapter advice, and no errors", async () => {
    const url = await fill(pgAdapter)
    const { findings, ...report } = await checkWithJson(url)
    expect(report).toMatchObject({ exitCode: 0, ok: true, tables: "pg", ids: "integer" })
    expect(findings.map(({ severity }) => severity)).toEqual(findings.map(() => "advice"))
    expect(findings.map(({ kind, table, columns }) => [kind, table, ...columns].join(" "))).toEqual([
      "unique users email",
      "unique accounts provider providerAccountId",
      "index accounts userId",
      "foreign-key accounts userId",
      "unique sessions sessionToken",
      "index sessions userId",
      "index sessions expires",
      "foreign-key sessions userId",
      "index verification_token expires",
      "table authenticators",
    ])
    await follow(findings)
    expect(await checkWithJson(url)).toMatchObject({ findings: [] })
  })

  it("takes a database of the drizzle adapter, whose dates have no zone", async () => {
    const url = await fill(`
      create table "user" (id text primary key, name text, email text unique, "emailVerified" timestamp, image text);
      create table account ("userId" text not null references "user" (id) on delete cascade, type text not null,
        provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
        expires_at integer, token_type text, scope text, id_token text, session_state text,
        primary key (provider, "providerAccountId"));
      create table session ("sessionToken" text primary key,
        "userId" text not null references "user" (id) on delete cascade, expires timestamp not null);
      create table "verificationToken" (identifier text not null, token text not null, expires timestamp not null,
        primary key (identifier, token));`)
    const { findings, ...report } = await checkWithJson(url)
    expect(report).toMatchObject({ exitCode: 0, tables: "drizzle", ids: "text" })
    expect(findings.filter(({ kind }) => kind === "type")).toMatchObject([{ columns: ["expires_at"] }])
    await follow(findings)
    expect(await checkWithJson(url)).toMatchObject({ findings: [] })
  })

  it("takes a database of the prisma adapter, whose columns Prisma would fill", async () => {
    const url = await fill(`
      create table "User" (id text primary key, name text, email text not null, "emailVerified" timestamp(3), image text,
        "createdAt" timestamp(3) not null default now(), "updatedAt" timestamp(3) not null);
      create unique index on "User" (email);
      create table "Account" ("userId" text not null references "User" (id) on update cascade on delete cascade,
        type text not null, provider text not null, "providerAccountId" text not null, refresh_token text,
        access_token text, expires_at integer, token_type text, scope text, id_token text, session_state text,
        "createdAt" timestamp(3) not null default now(), "updatedAt" timestamp(3) not null,
        primary key (provider, "providerAccountId"));
      create table "Session" (id text primary key, "sessionToken" text not null, expires timestamp(3) not null,
        "userId" text not null references "User" (id) on delete cascade);
      create unique index on "Session" ("sessionToken");
      create table "VerificationToken" (identifier text not null, token text not null, expires timestamp(3) not null,
        primary key (identifier, token));`)
    const { findings, ...report } = await checkWithJson(url)
    expect(report).toMatchObject({ exitCode: 0, tables: "kysely", ids: "text" })
    expect(findings.map(({ kind, table, columns }) => [kind, table, ...columns].join(" "))).toEqual([
      "required User email",
      "type Account expires_at",
      "index Account userId",
      "index Session userId",
      "index Session expires",
      "index VerificationToken expires",
      "table Authenticator",
    ])
    expect(await checkWithJson(url, "--tables", "prisma")).toMatchObject({ exitCode: 0, tables: "prisma", findings })
  })

  it("prints statements that put right whatever can be put right", async () => {
    const url = await fill(`
      create type account_type as enum ('oauth', 'oidc');
      create domain short_text as varchar(20);
      create table people (id bigint primary key);
      create table users (id bigint primary key, name text not null, email short_text, "emailVerified" timestamptz not null,
        picture text);
      insert into users (id, name, "emailVerified") values (7, 'Someone', now());
      create table accounts ("userId" integer not null references people, type account_type not null,
        provider varchar(20) not null, "providerAccountId" text not null, refresh_token text, access_token varchar(255),
        expires_at integer, token_type text, scope text, id_token text not null, session_state text,
        tenant text not null, unique (provider, "providerAccountId"));
      create table sessions (id bigint primary key, "sessionToken" char(30) not null, "userId" bigint not null
        references users, expires text not null, user_agent text);
      create index on sessions (lower("sessionToken"), "userId");
      create index on sessions (expires) where user_agent is not null;
      create table verification_token (identifier text not null, token uuid not null, expires date not null);`)
    const { findings, ...report } = await checkWithJson(url)
    expect(report).toMatchObject({ exitCode: 1, ok: false, tables: "pg", ids: "integer" })
    const told = findings.map(({ severity, kind, table, columns }) => [severity, kind, table, ...columns].join(" "))
    expect(told).toEqual([
      "error unfilled users id",
      "advice required users name",
      "advice length users email",
      "error required users emailVerified",
      "advice column users image",
      "advice unique users email",
      "advice type accounts type",
      "advice length accounts provider",
      "advice length accounts access_token",
      "advice type accounts expires_at",
      "error required accounts id_token",
      "error unfilled accounts tenant",
      "advice index accounts userId",
      "error foreign-key accounts userId",
      "error length sessions sessionToken",
      "error type sessions expires",
      "error unfilled sessions id",
      "advice unique sessions sessionToken",
      "advice index sessions userId",
      "advice index sessions expires",
      "advice foreign-key sessions userId",
      "advice type verification_token token",
      "error type verification_token expires",
      "advice unique verification_token identifier token",
      "advice index verification_token expires",
      "advice table authenticators",
    ])
    await follow(findings)
    expect(await checkWithJson(url)).toMatchObject({ exitCode: 0, findings: [] })
    const { rows } = await client.query<{ id: string }>("insert into users default values returning id")
    expect(rows).toEqual([{ id: "8" }])
  })

  it("names whatever column is missing", async () => {
    const url = await fill(await printSchema())
    const columns = tableKeys.flatMap((key) =>
      schema[key].columns.map(({ name }) => ({ table: presets.pg[key], name })),
    )
    const unnoticed: string[] = []
    for (const { table, name } of columns) {
      await client.query(`alter table ${table} rename column "${name}" to gone`)
      const { findings } = await checkWithJson(url, "--ids", "text")
      const own = findings.filter((finding) => finding.table === table && finding.kind === "column")
      if (!own.some((finding) => finding.columns.includes(name))) unnoticed.push(`${table}.${name}`)
      await client.query(`alter table ${table} rename column gone to "${name}"`)
    }
    expect(columns.length).toBeGreaterThan(20)
    expect(unnoticed).toEqual([])
    expect(await checkWithJson(url)).toMatchObject({ findings: [] })
  })

  it("names whatever key or index is missing", async () => {
    const sql = await printSchema()
    await fill(sql)
    const { rows } = await client.query<{ table: string; statement: string }>(
      `select conrelid::regclass::text as table,
         format('alter table %s drop constraint %I cascade', conrelid::regclass, conname) as statement
       from pg_constraint where connamespace = $1::regnamespace and contype in ('p', 'u', 'f')
       union all
       select indrelid::regclass::text, format('drop index %s', indexrelid::regclass) from pg_index
       where indrelid in (select oid from pg_class where relnamespace = $1::regnamespace)
         and indexrelid not in (select conindid from pg_constraint)`,
      [name],
    )
    const unnoticed: string[] = []
    for (const { table, statement } of rows) {
      const { findings } = await checkWithJson(await fill(`${sql};${statement}`))
      if (!findings.some((finding) => finding.table === table)) unnoticed.push(statement)
    }
    expect(rows.length).toBeGreaterThan(10)
    // A passkey that is unique alone is unique together with its user as well.
    expect(unnoticed).toEqual(["alter table authenticators drop constraint authenticators_pkey cascade"])
  })

  it("prints no statement that a name of a column has brought along", async () => {
    const url = await fill(
      `${await printSchema()}; alter table users add "x\n      drop table users; --" text not null`,
    )
    const { stdout } = await runCli(["schema", "--check", url])
    expect(stdout).toContain(String.raw`alter column "x\u000a      drop table users; --" drop not null;`)
    expect(stdout).not.toMatch(/^ *drop/m)
  })

  it("looks through the schemas of the search path in their order", async () => {
    await fill(await printSchema())
    const other = `${name}_other`
    await client.query(`create schema ${other}; create table ${other}.users (id text primary key)`)
    const searching = (path: string) => urlOf((url) => url.searchParams.set("options", `-c search_path=${path}`))
    expect(await checkWithJson(searching(`${name},${other}`))).toMatchObject({ exitCode: 0, findings: [] })
    const { findings } = await checkWithJson(searching(`${other},${name}`))
    await client.query(`drop schema ${other} cascade`)
    expect(findings.filter(({ table }) => table === "users").map(({ kind }) => kind)).toContain("column")
    expect(findings.find(({ kind }) => kind === "foreign-key")?.what).toContain(`refers to ${name}.users`)
  })

  it("sees only the tables that names without a schema lead to", async () => {
    await fill(await printSchema())
    const elsewhere = urlOf((url) => url.searchParams.set("options", "-c search_path=pg_temp"))
    const { exitCode, findings } = await checkWithJson(elsewhere)
    expect(exitCode).toBe(1)
    expect(findings.map(({ kind }) => kind)).toEqual(["table", "table", "table", "table", "table"])
  })
})

describe("a check of PostgreSQL calls nothing of other users", () => {
  // Each fits the names in the catalog at least as well as the server's own.
  const planted = `
    create function lower(name) returns text language plpgsql as $$ begin raise exception 'lower is called'; end $$;
    create function replace(text, text, text) returns text language plpgsql as $$ begin raise exception 'replace is called'; end $$;
    create function unnest(anyarray) returns setof anyelement language plpgsql as $$ begin raise exception 'unnest is called'; end $$;
    create function is_same(name, name) returns boolean language plpgsql as $$ begin raise exception '= is called'; end $$;
    create operator = (leftarg = name, rightarg = name, function = is_same);
    create domain text as pg_catalog.text check (false);`

  it.each(["", ",pg_catalog"])("from a schema of the search path (then %j)", async (rest) => {
    await fill(`${await printSchema()}; ${planted}`)
    const url = urlOf((own) => own.searchParams.set("options", `-c search_path=${name}${rest}`))
    expect(await checkWithJson(url)).toMatchObject({ exitCode: 0, findings: [] })
  })
})

describe("a check of PostgreSQL writes nothing", () => {
  it("as a user who may not even read the tables", async () => {
    await fill(await printSchema())
    await client.query(`create role ${name} login password 'hunter2'; grant usage on schema ${name} to ${name}`)
    const before = await lookAt()
    const url = urlOf((own) => {
      own.username = name
      own.password = "hunter2"
    })
    expect(await checkWithJson(url)).toMatchObject({ exitCode: 0, findings: [] })
    expect(await lookAt()).toEqual(before)
  })

  it("even where it finds much to do", async () => {
    const url = await fill(pgAdapter)
    const before = await lookAt()
    await runCli(["schema", "--check", url])
    expect(await lookAt()).toEqual(before)
  })
})

describe("a PostgreSQL database that cannot be read", () => {
  it.each([
    ["of another name", (url: URL) => (url.pathname = "/no_such_database"), "there is no database of this name"],
    ["for another user", (url: URL) => (url.username = "no_such_user"), "the user"],
    ["at another port", (url: URL) => (url.port = "1"), "nothing answers"],
  ])("%s: is told without the password", async (_, change, message) => {
    const url = urlOf((own) => {
      own.password = "hunter2"
      change(own)
    })
    const { exitCode, stdout, stderr } = await runCli(["schema", "--check", url])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toContain(`latchkey schema: the database cannot be read: ${message}`)
    expect(stderr).not.toContain("hunter2")
  })

  it("because it never answers: is given up", async () => {
    const server = await startSilentServer()
    const reading = { folder: process.cwd(), patienceMs: 50, candidates: ["users"] }
    await expect(readPostgres(`postgres://127.0.0.1:${server.port}/app`, reading)).rejects.toThrow(/timeout/i)
    await server.stop()
  })
})
