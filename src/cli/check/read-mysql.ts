/** Reads the facts of a MySQL or MariaDB database from `information_schema`, in a transaction that cannot write. */
import { loadDriver } from "./drivers.js"
import type { DatabaseFacts, ForeignKeyFacts } from "./facts.js"
import type { Reading } from "./reading.js"
import { assembleTables, indexFacts, type CatalogRows } from "./rows.js"

/** What is used of the package `mysql2`. */
interface Mysql {
  createConnection(options: Readonly<Record<string, unknown>>): Promise<Connection>
}

interface Connection {
  query(question: Question): Promise<readonly [rows: unknown, ...rest: unknown[]]>
  end(): Promise<unknown>
  on(event: "error", listener: () => void): unknown
}

interface Question {
  readonly sql: string
  readonly values?: readonly unknown[]
  readonly timeout: number
}

export async function readMysql(url: string, { folder, patienceMs, candidates }: Reading): Promise<DatabaseFacts> {
  const purpose = "MySQL or MariaDB"
  const driver = (await loadDriver({ specifier: "mysql2/promise", name: "mysql2", purpose }, folder)) as Mysql
  const connection = await driver.createConnection({ uri: url, connectTimeout: patienceMs })
  // A lost connection also fails the question that waits for it; without a listener it would end the process.
  connection.on("error", () => undefined)
  const ask = async (sql: string, values: readonly unknown[] = []): Promise<unknown> =>
    (await connection.query({ sql, values, timeout: patienceMs }))[0]
  try {
    await ask("start transaction read only")
    const facts = await readAll(ask, candidates)
    await ask("rollback")
    return facts
  } finally {
    await connection.end().catch(() => undefined)
  }
}

type Ask = (sql: string, values?: readonly unknown[]) => Promise<unknown>

async function readAll(ask: Ask, candidates: readonly string[]): Promise<DatabaseFacts> {
  const [setting] = (await ask("select @@lower_case_table_names as folds")) as readonly { readonly folds: number }[]
  const found = (await ask(tablesSql, [candidates])) as readonly { readonly name: string }[]
  const tables = found.map(({ name }) => name)
  // An empty list is no SQL.
  const names = [tables.length > 0 ? tables : [""]]
  const columns = (await ask(columnsSql, names)) as readonly ColumnRow[]
  const indexes = (await ask(indexesSql, names)) as readonly IndexRow[]
  const foreignKeys = (await ask(foreignKeysSql, names)) as readonly ForeignKeyRow[]
  return {
    dialect: "mysql",
    ignoresCase: { tables: setting?.folds !== 0, columns: true },
    tables: assembleTables({
      tables,
      columns: columns.map(columnOf),
      indexes: groupBy(indexes).map(indexOf),
      foreignKeys: groupBy(foreignKeys).map(foreignKeyOf),
    }),
  }
}

const tablesSql = `
  select table_name as name from information_schema.tables
  where table_schema = database() and replace(lower(table_name), '_', '') in (?)`

const columnsSql = `
  select table_name as \`table\`, column_name as name, column_type as type, data_type as base,
    character_maximum_length as length, is_nullable as nullable, column_default as given, extra, collation_name as collation
  from information_schema.columns where table_schema = database() and table_name in (?)
  order by table_name, ordinal_position`

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly base: string
  readonly length: number | string | null
  readonly nullable: "YES" | "NO"
  readonly given: unknown
  readonly extra: string
  readonly collation: string | null
}

function columnOf(row: ColumnRow): CatalogRows["columns"][number] {
  const base = row.base.toLowerCase()
  return {
    table: row.table,
    name: row.name,
    type: row.collation === null ? row.type : `${row.type} collate ${row.collation}`,
    base: base === "int" && row.type.includes("unsigned") ? "int unsigned" : base,
    maxLength: row.length === null ? null : Number(row.length),
    isNullable: row.nullable === "YES",
    isFilled: row.given !== null || /auto_increment|generated/i.test(row.extra),
    ignoresCase: row.collation?.endsWith("_ci") ?? false,
  }
}

const indexesSql = `
  select table_name as \`table\`, index_name as name, column_name as \`column\`, non_unique as repeats
  from information_schema.statistics
  where table_schema = database() and table_name in (?) and index_type in ('BTREE', 'HASH')
  order by table_name, index_name, seq_in_index`

interface IndexRow {
  readonly table: string
  readonly name: string
  /** `null` for an expression. */
  readonly column: string | null
  readonly repeats: number | string
}

function indexOf([first, ...rest]: Group<IndexRow>): CatalogRows["indexes"][number] {
  const columns = [first, ...rest].map(({ column }) => column)
  return { table: first.table, ...indexFacts(columns, Number(first.repeats) === 0) }
}

// Who may only SELECT does not see the rules of foreign keys in MariaDB.
const foreignKeysSql = `
  select k.table_name as \`table\`, k.constraint_name as name, k.column_name as \`column\`,
    k.referenced_table_schema as \`schema\`, database() as own, k.referenced_table_name as target,
    k.referenced_column_name as reference, r.delete_rule as rule
  from information_schema.key_column_usage k left join information_schema.referential_constraints r
    on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
  where k.table_schema = database() and k.table_name in (?) and k.referenced_table_name is not null
  order by k.table_name, k.constraint_name, k.ordinal_position`

interface ForeignKeyRow {
  readonly table: string
  readonly name: string
  readonly column: string
  readonly schema: string
  readonly own: string
  readonly target: string
  readonly reference: string
  readonly rule: string | null
}

function foreignKeyOf([first, ...rest]: Group<ForeignKeyRow>): CatalogRows["foreignKeys"][number] {
  const all = [first, ...rest]
  return {
    table: first.table,
    name: first.name,
    columns: all.map(({ column }) => column),
    target: first.schema === first.own ? first.target : `${first.schema}.${first.target}`,
    references: all.map(({ reference }) => reference),
    onDelete: deleteRule(first.rule),
  }
}

function deleteRule(rule: string | null): ForeignKeyFacts["onDelete"] {
  if (rule === null) return "unknown"
  return rule === "CASCADE" ? "cascade" : "other"
}

type Group<Row> = readonly [Row, ...(readonly Row[])]

/** Rows of one index or key, which come one after the other. */
function groupBy<Row extends { readonly table: string; readonly name: string }>(
  rows: readonly Row[],
): readonly Group<Row>[] {
  return rows.flatMap((row, index): readonly Group<Row>[] => {
    const isSame = (other: Row | undefined): boolean => other?.table === row.table && other.name === row.name
    return isSame(rows[index - 1]) ? [] : [[row, ...rows.slice(index + 1).filter(isSame)]]
  })
}
