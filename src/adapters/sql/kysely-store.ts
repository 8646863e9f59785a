/** A store over any Kysely instance, and so over any driver that Kysely has a dialect for. */
import { CompiledQuery, type Kysely } from "kysely"
import type { Dialect } from "./schema.js"
import { withoutValues } from "./statement-error.js"
import { nothingDone, type Result, type Row, type Sql, type Statement, type Step, type Store } from "./store.js"

/** What tables there are is not for Kysely's types to know: their names are the application's. */
export type AnyKysely = Kysely<Record<string, Record<string, unknown>>>

export function createKyselyStore(kysely: AnyKysely, dialect: Dialect): Store {
  const compile = (statement: Sql): Statement => statement.compile(kysely)
  return {
    dialect,
    compile,
    read: async (statement) => (await execute(kysely, compile(statement))).rows,
    write: (statement) => execute(kysely, compile(statement)),
    transact: (steps) => transact(kysely, steps),
    prepare: (sql) => async (parameters) => (await execute(kysely, { sql, parameters })).rows[0],
  }
}

async function execute(kysely: AnyKysely, { sql, parameters }: Statement): Promise<Result> {
  try {
    const result = await kysely.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))
    // Kysely does not count what SQLite gives back.
    const changes = Number(result.numAffectedRows ?? result.rows.length)
    return { rows: result.rows, changes, insertId: result.insertId?.toString() }
  } catch (thrown) {
    throw withoutValues(thrown, parameters)
  }
}

function transact(kysely: AnyKysely, steps: readonly Step[]): Promise<readonly Result[]> {
  const takeSteps = async (transaction: AnyKysely): Promise<readonly Result[]> => {
    const done: Result[] = []
    for (const step of steps) {
      const statement = step(done)
      done.push(statement ? await execute(transaction, statement.compile(transaction)) : nothingDone)
    }
    return done
  }
  return kysely.isTransaction ? takeSteps(kysely) : kysely.transaction().execute(takeSteps)
}
