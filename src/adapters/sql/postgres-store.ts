/** A store over a pool of `pg`. What every request reads is a prepared statement, which the server plans once. */
import { createHash } from "node:crypto"
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely"
import { createKyselyStore } from "./kysely-store.js"
import { withoutValues } from "./statement-error.js"
import type { Row, Store } from "./store.js"

/** What a `Pool` of `pg` has, and those made to look like it. */
export interface PgPool extends PostgresPool {
  query(query: PgQuery): Promise<{ readonly rows: readonly Row[] }>
}

interface PgQuery {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

export function createPostgresStore(pool: PgPool): Store {
  const kysely = new Kysely<Record<string, Record<string, unknown>>>({
    dialect: new PostgresDialect({ pool: guard(pool) }),
  })
  return { ...createKyselyStore(kysely, "postgres"), prepare: (sql) => prepare(pool, sql) }
}

interface PgClient extends PostgresPoolClient {
  on?(event: "error", listener: () => void): unknown
  removeListener?(event: "error", listener: () => void): unknown
}

/**
 * A pool listens for the errors of a client only while nobody has it. A connection that is cut meanwhile would end the
 * process; that it is cut, the query tells anyway.
 */
function guard(pool: PgPool): PostgresPool {
  return {
    connect: async () => guardClient(await pool.connect()),
    end: () => pool.end(),
  }
}

function guardClient(client: PgClient): PostgresPoolClient {
  const ignore = (): void => undefined
  client.on?.("error", ignore)
  return {
    query: client.query.bind<PostgresPoolClient["query"]>(client),
    release: () => {
      client.release()
      client.removeListener?.("error", ignore)
    },
  }
}

function prepare(pool: PgPool, text: string): (parameters: readonly unknown[]) => Promise<Row | undefined> {
  const name = `latchkey_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`
  let isNamed = true

  const query = async (parameters: readonly unknown[]): Promise<Row | undefined> => {
    const values = [...parameters]
    try {
      const { rows } = await pool.query(isNamed ? { name, text, values } : { text, values })
      return rows[0]
    } catch (thrown) {
      if (!isNamed || !isOfPooler(thrown)) throw withoutValues(thrown, parameters)
      isNamed = false
      return query(parameters)
    }
  }
  return query
}

/**
 * A pooler between us and the server may hand each query to another connection, which does not know the statement, or
 * knows one that was prepared before a table changed. Queries without a name always work.
 */
const poolerCodes: ReadonlySet<unknown> = new Set(["26000", "42P05", "0A000", "08P01"])

function isOfPooler(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && poolerCodes.has(thrown.code)
}
