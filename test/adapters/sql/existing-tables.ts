/** Tables as the users of Auth.js's adapters made them, from their documentation. */
import type { Dialect } from "../../../src/adapters/sql/schema.js"

type Words = Readonly<Record<"id" | "reference" | "text" | "date" | "boolean", string>>

/** `@auth/pg-adapter`: numbered ids, nothing unique, no foreign keys. */
export const pgTables: readonly string[] = [
  `create table verification_token (identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token))`,
  `create table accounts (id serial primary key, "userId" integer not null, type varchar(255) not null,
    provider varchar(255) not null, "providerAccountId" varchar(255) not null, refresh_token text, access_token text,
    expires_at bigint, id_token text, scope text, session_state text, token_type text)`,
  `create table sessions (id serial primary key, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null)`,
  `create table users (id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz,
    image text)`,
]

const tokens = (text: string, number: string): string =>
  `refresh_token ${text}, access_token ${text}, expires_at ${number}, token_type ${text}, scope ${text}, id_token ${text}, session_state ${text}`

/** Quotes as the dialect does what is written between bars. */
function quoted(dialect: Dialect, statements: readonly string[]): readonly string[] {
  return statements.map((statement) => statement.replaceAll("|", dialect === "mysql" ? "`" : '"'))
}

const kyselyWords: Readonly<Record<Dialect, Words>> = {
  postgres: {
    id: "uuid primary key default gen_random_uuid()",
    reference: "uuid",
    text: "text",
    date: "timestamptz",
    boolean: "",
  },
  sqlite: { id: "text primary key not null", reference: "text", text: "text", date: "text", boolean: "" },
  mysql: {
    id: "varchar(36) primary key default (uuid())",
    reference: "varchar(36)",
    text: "varchar(255)",
    date: "datetime(3)",
    boolean: "",
  },
}

/** `@auth/kysely-adapter`: an id of their own for accounts and sessions; no passkeys. */
export function kyselyTables(dialect: Dialect): readonly string[] {
  const { id, reference, text, date } = kyselyWords[dialect]
  const owner = `|userId| ${reference} not null, foreign key (|userId|) references |User| (id) on delete cascade`
  const long = dialect === "mysql" ? "text" : text
  return quoted(dialect, [
    `create table |User| (id ${id}, name ${text}, email ${text} unique, |emailVerified| ${date}, image ${text})`,
    `create table |Account| (id ${id}, type ${text} not null, provider ${text} not null,
      |providerAccountId| ${text} not null, ${tokens(long, "bigint")}, ${owner})`,
    `create table |Session| (id ${id}, |sessionToken| ${text} not null unique, expires ${date} not null, ${owner})`,
    `create table |VerificationToken| (identifier ${text} not null, token ${text} not null unique, expires ${date} not null)`,
  ])
}

const drizzleWords: Readonly<Record<Dialect, Words>> = {
  postgres: { id: "text", reference: "text", text: "text", date: "timestamp", boolean: "boolean" },
  sqlite: { id: "text", reference: "text", text: "text", date: "integer", boolean: "integer" },
  mysql: {
    id: "varchar(255)",
    reference: "varchar(255)",
    text: "varchar(255)",
    date: "timestamp(3)",
    boolean: "boolean",
  },
}

/** `@auth/drizzle-adapter`. */
export function drizzleTables(dialect: Dialect): readonly string[] {
  const { id, reference, text, date, boolean } = drizzleWords[dialect]
  const owner = `|userId| ${reference} not null, foreign key (|userId|) references |user| (id) on delete cascade`
  const long = dialect === "mysql" ? "text" : text
  return quoted(dialect, [
    `create table |user| (id ${id} primary key not null, name ${text}, email ${text} unique, |emailVerified| ${date} null,
      image ${text})`,
    `create table |account| (type ${text} not null, provider ${text} not null, |providerAccountId| ${text} not null,
      ${tokens(long, "integer")}, ${owner}, primary key (provider, |providerAccountId|))`,
    `create table |session| (|sessionToken| ${text} primary key not null, expires ${date} not null, ${owner})`,
    `create table |verificationToken| (identifier ${text} not null, token ${text} not null, expires ${date} not null,
      primary key (identifier, token))`,
    `create table |authenticator| (|credentialID| ${text} not null unique, |providerAccountId| ${text} not null,
      |credentialPublicKey| ${text} not null, counter integer not null, |credentialDeviceType| ${text} not null,
      |credentialBackedUp| ${boolean} not null, transports ${text}, ${owner}, primary key (|userId|, |credentialID|))`,
  ])
}

const prismaWords: Readonly<Record<Dialect, Words>> = {
  postgres: { id: "text", reference: "text", text: "text", date: "timestamp(3)", boolean: "boolean" },
  sqlite: { id: "text", reference: "text", text: "text", date: "datetime", boolean: "boolean" },
  mysql: {
    id: "varchar(191)",
    reference: "varchar(191)",
    text: "varchar(191)",
    date: "datetime(3)",
    boolean: "boolean",
  },
}

/** Prisma fills in `updatedAt` itself, so the column has no default. */
export function prismaTables(dialect: Dialect): readonly string[] {
  const { id, reference, text, date, boolean } = prismaWords[dialect]
  const owner = `|userId| ${reference} not null, foreign key (|userId|) references |User| (id) on delete cascade`
  const precision = dialect === "sqlite" ? "" : "(3)"
  const moments = `|createdAt| ${date} not null default current_timestamp${precision}, |updatedAt| ${date} not null`
  const long = dialect === "mysql" ? "text" : text
  const name = dialect === "mysql" ? "varchar(255)" : text
  return quoted(dialect, [
    `create table |User| (id ${id} not null primary key, name ${name}, email ${text} not null unique,
      |emailVerified| ${date}, image ${text}, ${moments})`,
    `create table |Account| (type ${text} not null, provider ${text} not null, |providerAccountId| ${name} not null,
      ${tokens(long, "integer")}, ${moments}, ${owner}, primary key (provider, |providerAccountId|))`,
    `create table |Session| (|sessionToken| ${text} not null unique, expires ${date} not null, ${moments}, ${owner})`,
    `create table |VerificationToken| (identifier ${name} not null, token ${text} not null, expires ${date} not null,
      primary key (identifier, token))`,
    `create table |Authenticator| (|credentialID| ${text} not null unique, |providerAccountId| ${text} not null,
      |credentialPublicKey| ${text} not null, counter integer not null, |credentialDeviceType| ${text} not null,
      |credentialBackedUp| ${boolean} not null, transports ${text}, ${owner}, primary key (|userId|, |credentialID|))`,
  ])
}
