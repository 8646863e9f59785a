/** A store over MySQL or MariaDB. */
import { createKyselyStore, type AnyKysely } from "./kysely-store.js"
import type { Store } from "./store.js"

/**
 * A column in a narrow character set cannot be compared with a text that has other characters: the server refuses,
 * instead of finding nothing. What is written is never refused with these codes.
 */
const incomparable: ReadonlySet<unknown> = new Set([
  "ER_CANT_AGGREGATE_2COLLATIONS",
  "ER_CANT_AGGREGATE_3COLLATIONS",
  "ER_CANT_AGGREGATE_NCOLLATIONS",
  "ER_CANNOT_CONVERT_STRING",
])

export function createMysqlStore(kysely: AnyKysely): Store {
  const store = createKyselyStore(kysely, "mysql")
  return {
    ...store,
    read: (statement) => orNothing(store.read(statement), []),
    write: (statement) => orNothing(store.write(statement), { rows: [], changes: 0 }),
    prepare: (sql) => {
      const read = store.prepare(sql)
      return (parameters) => orNothing(read(parameters), undefined)
    },
  }
}

async function orNothing<T>(answer: T | PromiseLike<T>, nothing: T): Promise<T> {
  try {
    return await answer
  } catch (thrown) {
    if (isIncomparable(thrown)) return nothing
    throw thrown
  }
}

function isIncomparable(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && incomparable.has(thrown.code)
}
