/**
 * A store over an open SQLite database, which answers at once: nothing comes between the statements of a transaction,
 * and a read costs no promise.
 */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely"
import { LRUCache } from "lru-cache"
import { withoutValues } from "./statement-error.js"
import { nothingDone, type Result, type Row, type Sql, type Statement, type Step, type Store } from "./store.js"

/** What `better-sqlite3`, `libsql` and `node:sqlite` have in common. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  exec(sql: string): unknown
  close(): unknown
}

interface SqliteStatement {
  all(...parameters: unknown[]): unknown[]
  get(...parameters: unknown[]): unknown
  run(...parameters: unknown[]): unknown
  /** `better-sqlite3` and `libsql`: whether rows come as arrays. */
  raw?(toggle: boolean): unknown
  /** `node:sqlite`: the same. */
  setReturnArrays?(toggle: boolean): unknown
}

type Prepared = (parameters: readonly unknown[]) => Result
type Read = (parameters: readonly unknown[]) => Row | undefined

export interface SqliteStore extends Store {
  /** Runs statements that give nothing back: all or none. */
  exec(statements: readonly string[]): void
  close(): void
}

/** A transaction that is open already, the application's own, is joined. */
export function createSqliteStore(database: SqliteDatabase): SqliteStore {
  const compiler = createCompiler()
  const prepared = new LRUCache<string, Prepared>({ max: 100, memoMethod: (sql) => prepare(database, sql) })
  const reads = new LRUCache<string, Read>({ max: 10, memoMethod: (sql) => prepareRead(database, sql) })
  const compile = (statement: Sql): Statement => statement.compile(compiler)
  const run = (statement: Sql): Result => {
    const { sql, parameters } = compile(statement)
    return withSafeErrors(parameters, () => prepared.memo(sql)(parameters))
  }
  const take = (step: Step, done: readonly Result[]): Result => {
    const statement = step(done)
    return statement ? run(statement) : nothingDone
  }
  const transact = (steps: readonly Step[]): readonly Result[] =>
    together(database, () => steps.reduce<readonly Result[]>((done, step) => [...done, take(step, done)], []))
  return {
    dialect: "sqlite",
    compile,
    read: (statement) => run(statement).rows,
    // With `libsql` a statement that finds the database locked stays unfinished. Beginning with BEGIN, none does.
    write: (statement) => together(database, () => run(statement)),
    transact,
    prepare: (sql) => (parameters) => withSafeErrors(parameters, () => reads.memo(sql)(parameters)),
    close: () => {
      // A statement of `libsql` would go on working.
      prepared.clear()
      reads.clear()
      database.close()
    },
    exec: (statements) => together(database, () => statements.forEach((statement) => database.exec(statement))),
  }
}

function withSafeErrors<T>(parameters: readonly unknown[], work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw withoutValues(thrown, parameters)
  }
}

/** All of `work`, or, when it throws, nothing. The write lock is taken first, so that two processes never block each other. */
function together<T>(database: SqliteDatabase, work: () => T): T {
  const [begin, commit, rollback] = isInTransaction(database)
    ? ["savepoint latchkey", "release latchkey", "rollback to latchkey; release latchkey"]
    : ["begin immediate", "commit", "rollback"]
  database.exec(begin)
  try {
    const result = work()
    database.exec(commit)
    return result
  } catch (thrown) {
    // SQLite itself may have rolled back, as with a full disk.
    if (isInTransaction(database)) database.exec(rollback)
    throw thrown
  }
}

function isInTransaction(database: SqliteDatabase): boolean {
  if ("inTransaction" in database) return database.inTransaction === true
  return "isTransaction" in database && database.isTransaction === true
}

type Bind = (parameters: readonly unknown[]) => unknown[]

/** `better-sqlite3` and `libsql` take the parameters as one array, `node:sqlite` one by one. */
function bindingOf(statement: SqliteStatement): Bind {
  return "reader" in statement ? (parameters) => [parameters.map(whole)] : (parameters) => parameters.map(whole)
}

/** A number would be bound as 5.0, which a column for text keeps as "5.0". */
function whole(value: unknown): unknown {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value
}

function prepare(database: SqliteDatabase, sql: string): Prepared {
  const statement = database.prepare(sql)
  const bind = bindingOf(statement)
  const isReader = "reader" in statement ? statement.reader === true : givesRows(sql)
  return (parameters) => {
    if (!isReader) return { rows: [], changes: changesOf(statement.run(...bind(parameters))) }
    const rows = statement.all(...bind(parameters)) as readonly Row[]
    return { rows, changes: rows.length }
  }
}

/** The row as an array where the driver can: it need not make the names of the columns again and again. */
function prepareRead(database: SqliteDatabase, sql: string): Read {
  const statement = database.prepare(sql)
  const bind = bindingOf(statement)
  statement.raw?.(true)
  statement.setReturnArrays?.(true)
  return (parameters) => statement.get(...bind(parameters)) as Row | undefined
}

/** `node:sqlite` tells it only since Node 22.16. Of our statements those give rows that begin or end so. */
function givesRows(sql: string): boolean {
  return /^\s*select\b|\breturning\b/i.test(sql)
}

function changesOf(answer: unknown): number {
  return typeof answer === "object" && answer !== null && "changes" in answer ? Number(answer.changes) : 0
}

/** Kysely without a database: it only writes the SQL. */
function createCompiler(): Kysely<Record<string, Record<string, unknown>>> {
  return new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}
