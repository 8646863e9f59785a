/** Reads the facts of a PostgreSQL database from `pg_catalog`, in a transaction that cannot write. */
import { loadDriver } from "./drivers.js"
import type { DatabaseFacts } from "./facts.js"
import type { Reading } from "./reading.js"
import { assembleTables, indexFacts, type CatalogRows } from "./rows.js"

/** What is used of the package `pg`. */
interface Pg {
  readonly Client: new (options: Readonly<Record<string, unknown>>) => Client
}

interface Client {
  connect(): Promise<unknown>
  query(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>
  end(): Promise<unknown>
  on(event: "error", listener: () => void): unknown
}

export async function readPostgres(url: string, { folder, patienceMs, candidates }: Reading): Promise<DatabaseFacts> {
  const driver = (await loadDriver({ specifier: "pg", name: "pg", purpose: "PostgreSQL" }, folder)) as Pg
  const client = new driver.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    application_name: "latchkey schema --check",
  })
  // A lost connection also fails the question that waits for it; without a listener it would end the process.
  client.on("error", () => undefined)
  try {
    await client.connect()
    await client.query("begin transaction isolation level repeatable read, read only")
    const tables = await readTables(client, candidates)
    await client.query("rollback")
    return { dialect: "postgres", ignoresCase: { tables: false, columns: false }, tables }
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function readTables(client: Client, candidates: readonly string[]): Promise<DatabaseFacts["tables"]> {
  const ask = async (sql: string, values: readonly unknown[]) => (await client.query(sql, values)).rows
  const [settings] = (await ask(searchPathSql, [])) as readonly { readonly schemas: readonly string[] }[]
  const schemas = settings?.schemas ?? []
  await client.query(trustedPathSql)
  const found = (await ask(tablesSql, [schemas, candidates])) as readonly {
    readonly id: string
    readonly name: string
  }[]
  const ids = [found.map(({ id }) => id)]
  const indexes = (await ask(indexesSql, ids)) as readonly IndexRow[]
  return assembleTables({
    tables: found.map(({ name }) => name),
    columns: (await ask(columnsSql, ids)) as CatalogRows["columns"],
    indexes: indexes.map(({ table, columns, isUnique }) => ({ table, ...indexFacts(columns, isUnique) })),
    foreignKeys: (await ask(foreignKeysSql, [...ids, schemas])) as CatalogRows["foreignKeys"],
  })
}

interface IndexRow {
  readonly table: string
  /** `null` for an expression. */
  readonly columns: readonly (string | null)[]
  readonly isUnique: boolean
}

// Every name is qualified here: this is asked while the search path may still lead to functions of other users.
const searchPathSql = "select pg_catalog.current_schemas(false)::pg_catalog.text[] as schemas"

// Whoever may create a function in a schema of the search path could have the others call it, with the rights of this
// user (CVE-2018-1058). So the path is the server's own from here on, until the transaction ends.
const trustedPathSql = "select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)"

/** What a name without a schema leads to, as in the statements of the adapter, when the search path is `parameter`. */
const visibleSql = (parameter: string) => `
  select distinct on (c.relname) c.oid, c.relname, c.relkind, n.nspname
  from unnest(${parameter}::text[]) with ordinality path(name, place)
  join pg_catalog.pg_namespace n on n.nspname = path.name
  join pg_catalog.pg_class c on c.relnamespace = n.oid
  order by c.relname, path.place`

const tablesSql = `
  select c.oid::text as id, c.relname::text as name
  from (${visibleSql("$1")}) c
  where c.relkind in ('r', 'p', 'v', 'f') and c.nspname not in ('pg_catalog', 'information_schema')
    and replace(lower(c.relname), '_', '') = any($2::text[])`

const columnsSql = `
  select c.relname::text as table, a.attname::text as name, shown.type, base.name as base,
    case when base.name in ('varchar', 'bpchar') and base.modifier > 4 then base.modifier - 4 end as "maxLength",
    not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "isFilled",
    base.name = 'citext' as "ignoresCase"
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_type t on t.oid = a.atttypid
  left join pg_catalog.pg_type b on t.typtype = 'd' and b.oid = t.typbasetype
  cross join lateral (select pg_catalog.format_type(a.atttypid, a.atttypmod) as type) shown
  cross join lateral (select
    case when coalesce(b.typtype, t.typtype) = 'e' then 'enum' else coalesce(b.typname, t.typname)::text end as name,
    case when b.oid is null then a.atttypmod else t.typtypmod end as modifier) base
  where a.attrelid = any($1::oid[]) and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`

const indexesSql = `
  select c.relname::text as table, i.indisunique as "isUnique", array(
    select a.attname::text from unnest(i.indkey) with ordinality k(number, place)
    left join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    where k.place <= i.indnkeyatts order by k.place) as columns
  from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indrelid
  where i.indrelid = any($1::oid[]) and i.indisvalid and i.indpred is null
  order by i.indexrelid`

const foreignKeysSql = `
  select c.relname::text as table, k.conname::text as name,
    case when v.oid is not null then t.relname else n.nspname || '.' || t.relname end::text as target,
    case when k.confdeltype = 'c' then 'cascade' else 'other' end as "onDelete",
    array(select a.attname::text from unnest(k.conkey) with ordinality u(number, place)
      join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number order by u.place) as columns,
    array(select a.attname::text from unnest(k.confkey) with ordinality u(number, place)
      join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number order by u.place) as references
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_class t on t.oid = k.confrelid
  join pg_catalog.pg_namespace n on n.oid = t.relnamespace
  left join (${visibleSql("$2")}) v on v.oid = t.oid
  where k.contype = 'f' and k.conrelid = any($1::oid[])
  order by k.oid`
