import { describe, expect, it } from "@jest/globals"
import { presets, schema, tableKeys, type TableKey } from "../../src/adapters/sql/schema.js"
import { compareSchema } from "../../src/cli/check/compare.js"
import type { ColumnFacts, DatabaseFacts, ForeignKeyFacts, IndexFacts } from "../../src/cli/check/facts.js"
import type { SchemaOptions } from "../../src/cli/check/needs.js"
import { goodFacts, withColumn, withTable } from "./good-facts.js"
import { variants } from "./run-cli.js"

const everyOptions = (["sqlite", "postgres", "mysql"] as const).flatMap((dialect) =>
  variants.map((variant): SchemaOptions => ({ dialect, dates: "text", ...variant })),
)

/** What is found, as short as can be. */
function find(facts: DatabaseFacts, options: SchemaOptions) {
  return compareSchema(facts, options).map(({ severity, kind, table, columns }) => ({ severity, kind, table, columns }))
}

/** Whether it is an error, unless the table is one that sign-in can do without. */
const severityIn = (key: TableKey, isError: boolean) => (isError && key !== "authenticators" ? "error" : "advice")

describe.each(everyOptions)("a database: $dialect, ids $ids, tables $tables", (options) => {
  const good = goodFacts(options)
  const nameOf = (key: TableKey): string => presets[options.tables][key]

  it("gives no findings when nothing is missing", () => {
    expect(compareSchema(good, options)).toEqual([])
  })

  it("gives no findings for tables, columns and indexes of the application's own", () => {
    const own: ColumnFacts = {
      name: "role",
      type: "text",
      base: "text",
      maxLength: null,
      isNullable: true,
      isFilled: false,
      ignoresCase: true,
    }
    const tables = good.tables.map((table) => ({
      ...table,
      columns: [own, ...table.columns, { ...own, name: "createdAt", isNullable: false, isFilled: true }],
      indexes: [{ columns: ["role"], isUnique: true }, ...table.indexes],
    }))
    const facts = { ...good, tables: [...tables, { name: "posts", columns: [own], indexes: [], foreignKeys: [] }] }
    expect(compareSchema(facts, options)).toEqual([])
  })

  it("names any table that is missing, and the statement that creates it", () => {
    const names = tableKeys.map(nameOf)
    const found = names.map((name) => {
      const [finding] = compareSchema(
        withTable(good, name, () => undefined),
        options,
      ).filter(({ table }) => table === name)
      return {
        severity: finding?.severity,
        kind: finding?.kind,
        isCreated: finding?.fix[0]?.startsWith("create table"),
      }
    })
    // Nothing but sign-in by e-mail and passkeys needs these two.
    const isNeeded = (key: TableKey) => key !== "verificationTokens" && key !== "authenticators"
    expect(found).toEqual(
      tableKeys.map((key) => ({ severity: isNeeded(key) ? "error" : "advice", kind: "table", isCreated: true })),
    )
  })

  const columns = tableKeys.flatMap((key) => schema[key].columns.map((column) => ({ key, ...column })))

  it("names any column that is missing", () => {
    const found = columns.map(({ key, name }) => {
      const isOther = (column: ColumnFacts): boolean => column.name !== name
      return find(
        withTable(good, nameOf(key), (table) => ({ ...table, columns: table.columns.filter(isOther) })),
        options,
      )
    })
    const expected = columns.map(({ key, name, nullable }) => {
      const severity = severityIn(key, !nullable || name === "email")
      return [{ severity, kind: "column", table: nameOf(key), columns: [name] }]
    })
    expect(found).toEqual(expected)
  })

  it("names any column whose type cannot hold its values", () => {
    const found = columns.map(({ key, name }) =>
      find(withColumn(good, nameOf(key), name, { base: "real", type: "real" }), options),
    )
    const expected = columns.map(({ key, name }) => ({
      severity: severityIn(key, true),
      kind: "type",
      table: nameOf(key),
      columns: [name],
    }))
    for (const [index, finding] of expected.entries()) expect(found[index]).toContainEqual(finding)
  })

  const keys = tableKeys.flatMap((key) =>
    [schema[key].primaryKey, ...schema[key].uniques].map((columns) => ({ key, columns })),
  )

  it("names any key that is not unique", () => {
    const found = keys.map(({ key, columns }) => {
      // Keys of fewer columns keep it unique as well.
      const isOther = (index: IndexFacts): boolean => !index.columns.every((column) => columns.includes(column))
      return find(
        withTable(good, nameOf(key), (table) => ({ ...table, indexes: table.indexes.filter(isOther) })),
        options,
      )
    })
    const expected = keys.map(({ key, columns }) => ({
      severity: "advice",
      kind: "unique",
      table: nameOf(key),
      columns,
    }))
    for (const [index, finding] of expected.entries()) expect(found[index]).toContainEqual(finding)
  })

  const indexes = tableKeys.flatMap((key) => schema[key].indexes.map((columns) => ({ key, columns })))

  it("names any index that is missing", () => {
    const found = indexes.map(({ key, columns }) => {
      const isOther = (index: IndexFacts): boolean => index.columns !== columns
      return find(
        withTable(good, nameOf(key), (table) => ({ ...table, indexes: table.indexes.filter(isOther) })),
        options,
      )
    })
    expect(found).toEqual(
      indexes.map(({ key, columns }) => [{ severity: "advice", kind: "index", table: nameOf(key), columns }]),
    )
  })

  it("names any foreign key that is missing", () => {
    const owned = tableKeys.filter((key) => schema[key].foreignKeys.length > 0)
    const found = owned.map((key) =>
      find(
        withTable(good, nameOf(key), (table) => ({ ...table, foreignKeys: [] })),
        options,
      ),
    )
    expect(found).toEqual(
      owned.map((key) => [{ severity: "advice", kind: "foreign-key", table: nameOf(key), columns: ["userId"] }]),
    )
  })
})

const options: SchemaOptions = { dialect: "postgres", ids: "text", tables: "pg", dates: "text" }
const good = goodFacts(options)

/** The one finding of facts in which one thing is wrong. */
function only(facts: DatabaseFacts, given: SchemaOptions = options) {
  const findings = compareSchema(facts, given)
  expect(findings).toHaveLength(1)
  return findings[0]
}

describe("the comparison of columns", () => {
  it.each([
    ["key", "varchar", undefined],
    ["key", "bpchar", undefined],
    ["key", "uuid", "advice"],
    ["key", "int8", "error"],
    ["text", "enum", "advice"],
    ["text", "json", "error"],
    ["date", "timestamptz", undefined],
    ["date", "timestamp", undefined],
    ["date", "date", "error"],
    ["date", "text", "error"],
    ["date", "int8", "error"],
    ["integer", "numeric", undefined],
    ["integer", "int4", "advice"],
    ["integer", "int2", "error"],
    ["integer", "text", "error"],
  ])("of PostgreSQL lets %s be %s, or else: %s", (kind, base, severity) => {
    const place = { key: "sessionToken", text: "type", date: "expires", integer: "expires_at" }[kind] ?? ""
    const table = kind === "key" || kind === "date" ? "sessions" : "accounts"
    const findings = find(withColumn(good, table, place, { base, type: base }), options)
    expect(findings).toEqual(severity === undefined ? [] : [{ severity, kind: "type", table, columns: [place] }])
  })

  it.each([
    ["text", "date", undefined],
    ["datetime", "date", undefined],
    ["", "date", undefined],
    ["integer", "date", "error"],
    ["varchar(255)", "key", undefined],
    ["integer", "key", "error"],
    // SQLite would keep the id "007" as the number 7.
    ["numeric", "key", "error"],
    ["bigint", "integer", undefined],
    ["text", "integer", "error"],
  ])("of SQLite lets the type %j hold a %s, or else: %s", (base, kind, severity) => {
    const given: SchemaOptions = { ...options, dialect: "sqlite" }
    const place = { key: "providerAccountId", date: "expires", integer: "expires_at" }[kind] ?? ""
    const table = kind === "date" ? "sessions" : "accounts"
    const findings = find(withColumn(goodFacts(given), table, place, { base, type: base }), given)
    expect(findings).toEqual(severity === undefined ? [] : [{ severity, kind: "type", table, columns: [place] }])
  })

  it("names the ids that fit", () => {
    const facts = goodFacts({ ...options, ids: "integer" })
    const findings = compareSchema(facts, options).filter(({ kind }) => kind === "type")
    expect(findings.map(({ table, columns, severity }) => [table, ...columns, severity])).toEqual([
      ["users", "id", "error"],
      ["accounts", "userId", "error"],
      ["sessions", "userId", "error"],
      ["authenticators", "userId", "advice"],
    ])
    expect(findings[0]?.why).toMatch(/ids of the kind text.*ids: "integer"/)
  })

  it("wants integer ids to be numbered by the database", () => {
    const given: SchemaOptions = { ...options, ids: "integer" }
    const facts = withColumn(goodFacts(given), "users", "id", { isFilled: false })
    expect(only(facts, given)).toMatchObject({ severity: "error", kind: "unfilled", table: "users", columns: ["id"] })
  })

  it.each([
    ["sessions", "sessionToken", 35, "error"],
    ["sessions", "sessionToken", 254, "advice"],
    ["sessions", "sessionToken", 255, undefined],
    ["verification_token", "token", 63, "error"],
    ["verification_token", "token", 64, undefined],
    ["accounts", "providerAccountId", 191, "advice"],
    ["accounts", "access_token", 255, "advice"],
    ["accounts", "access_token", 2048, undefined],
    ["users", "id", 25, "error"],
    ["users", "id", 36, undefined],
  ])("finds %s.%s of %d characters: %s", (table, column, maxLength, severity) => {
    const facts = withColumn(good, table, column, { base: "varchar", type: `varchar(${maxLength})`, maxLength })
    const expected = { severity, kind: "length", table, columns: [column] }
    expect(find(facts, options)).toEqual(severity === undefined ? [] : [expected])
  })

  it("does not care for the length of what the database lists", () => {
    const facts = withColumn(good, "accounts", "type", { base: "enum", type: "account_type", maxLength: 7 })
    expect(only(facts)).toMatchObject({ severity: "advice", kind: "type" })
  })

  it.each([
    ["accounts", "providerAccountId"],
    ["sessions", "sessionToken"],
  ])("advises against a %s.%s that takes a for A", (table, column) => {
    const facts = withColumn(good, table, column, { base: "citext", type: "citext", ignoresCase: true })
    expect(only(facts)).toMatchObject({ severity: "advice", kind: "case", table, columns: [column] })
  })

  it("lets e-mail addresses ignore case", () => {
    expect(compareSchema(withColumn(good, "users", "email", { base: "citext", ignoresCase: true }), options)).toEqual(
      [],
    )
  })

  it.each([
    ["users", "name", "advice"],
    ["users", "email", "advice"],
    ["users", "emailVerified", "error"],
    ["accounts", "refresh_token", "error"],
  ])("finds that %s.%s refuses NULL: %s", (table, column, severity) => {
    const facts = withColumn(good, table, column, { isNullable: false })
    expect(only(facts)).toMatchObject({ severity, kind: "required", table, columns: [column] })
  })

  it("knows that a user without a proved address is written with NULL, whatever the default", () => {
    const facts = withColumn(good, "users", "emailVerified", { isNullable: false, isFilled: true })
    expect(only(facts)).toMatchObject({ severity: "error", kind: "required", columns: ["emailVerified"] })
  })

  it("lets a default take the place of what an account lacks", () => {
    const facts = withColumn(good, "accounts", "refresh_token", { isNullable: false, isFilled: true })
    expect(compareSchema(facts, options)).toEqual([])
  })

  const wanting = { isNullable: false, isFilled: false, maxLength: null, ignoresCase: false }

  it.each([
    ["accounts", { name: "tenant", base: "text" }, "error"],
    ["users", { name: "tenant", base: "text" }, "advice"],
    ["accounts", { name: "id", base: "int4" }, "error"],
    // The adapter fills these, as Prisma does.
    ["accounts", { name: "id", base: "text" }, undefined],
    ["sessions", { name: "id", base: "uuid" }, undefined],
    ["users", { name: "updatedAt", base: "timestamp" }, undefined],
    ["users", { name: "updatedAt", base: "bool" }, "advice"],
  ])("finds in %s a column that wants a value, %j: %s", (table, column, severity) => {
    const own: ColumnFacts = { ...wanting, ...column, type: column.base }
    const facts = withTable(good, table, (all) => ({ ...all, columns: [...all.columns, own] }))
    const expected = { severity, kind: "unfilled", table, columns: [column.name] }
    expect(find(facts, options)).toEqual(severity === undefined ? [] : [expected])
  })

  it("tells what a missing column or table may be called", () => {
    const renamed = withColumn(good, "sessions", "userId", { name: "user_id" })
    expect(compareSchema(renamed, options).find(({ kind }) => kind === "column")?.why).toContain("There is user_id")
    const folded = withTable(good, "verification_token", (table) => ({ ...table, name: "VerificationToken" }))
    expect(only(folded)?.why).toContain("There is VerificationToken")
  })

  it("goes by the case of names where the database does", () => {
    const folded = withColumn(good, "users", "emailVerified", { name: "emailverified" })
    expect(only(folded)).toMatchObject({ kind: "column", columns: ["emailVerified"] })
    expect(compareSchema({ ...folded, ignoresCase: { tables: true, columns: true } }, options)).toEqual([])
  })
})

describe("the comparison of keys and indexes", () => {
  const withIndexes = (table: string, indexes: DatabaseFacts["tables"][number]["indexes"]) =>
    withTable(good, table, (all) => ({ ...all, indexes }))
  const unique = (...columns: string[]) => ({ columns, isUnique: true })
  const plain = (...columns: string[]) => ({ columns, isUnique: false })

  it("takes a token that is unique alone, as the kysely adapter has it", () => {
    expect(compareSchema(withIndexes("verification_token", [unique("token"), plain("expires")]), options)).toEqual([])
  })

  it("takes columns in any order, and an index that goes on", () => {
    const indexes = [unique("providerAccountId", "provider"), plain("userId", "provider")]
    expect(compareSchema(withIndexes("accounts", indexes), options)).toEqual([])
  })

  it("does not take an index in which other columns come first", () => {
    const indexes = [unique("provider", "providerAccountId"), plain("provider", "userId")]
    expect(only(withIndexes("accounts", indexes))).toMatchObject({ kind: "index", columns: ["userId"] })
  })

  it("does not take an index for a unique constraint, but for a fast lookup", () => {
    const found = only(withIndexes("accounts", [plain("provider", "providerAccountId"), plain("userId")]))
    expect(found).toMatchObject({ severity: "advice", kind: "unique", columns: ["provider", "providerAccountId"] })
    expect(found?.why).toBe("Two sign-ins at the same moment can link one account to two users.")
  })

  it("does not take a unique constraint on more columns", () => {
    const found = only(withIndexes("users", [unique("id"), unique("email", "tenant")]))
    expect(found).toMatchObject({ kind: "unique", columns: ["email"] })
  })

  it.each([
    ["sessions", ["userId"], "error"],
    ["users", ["name"], "error"],
    ["accounts", ["userId", "provider"], "advice"],
    ["verification_token", ["identifier"], "error"],
    ["verification_token", ["token"], undefined],
    ["users", ["email", "name"], undefined],
    ["users", ["tenant"], undefined],
  ])("finds that %s refuses rows of the same %j: %s", (table, columns, severity) => {
    const facts = withTable(good, table, (all) => ({ ...all, indexes: [...all.indexes, unique(...columns)] }))
    const expected = { severity, kind: "too-unique", table, columns }
    expect(find(facts, options)).toEqual(severity === undefined ? [] : [expected])
  })
})

describe("the comparison of foreign keys", () => {
  const withKey = (change: Partial<ForeignKeyFacts>) =>
    withTable(good, "sessions", (table) => ({
      ...table,
      foreignKeys: table.foreignKeys.map((key) => ({ ...key, ...change })),
    }))

  it("advises to delete with the user", () => {
    expect(only(withKey({ onDelete: "other" }))).toMatchObject({ severity: "advice", kind: "foreign-key" })
  })

  it("says nothing of a rule that the user of the database may not see", () => {
    expect(compareSchema(withKey({ onDelete: "unknown" }), options)).toEqual([])
  })

  it.each([{ table: "people" }, { table: "auth.users" }, { references: ["email"] }])(
    "finds one that leads to %j",
    (to) => {
      expect(only(withKey(to))).toMatchObject({ severity: "error", kind: "foreign-key", table: "sessions" })
    },
  )

  it("takes one that names no column for one that leads to the primary key", () => {
    expect(compareSchema(withKey({ references: [] }), options)).toEqual([])
  })
})
