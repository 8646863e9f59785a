/** Which database a Kysely instance talks to. */
import type { Dialect } from "./schema.js"

/** Any `Kysely`, or a transaction of one, whatever its tables. */
export interface KyselyInstance {
  withoutPlugins(): unknown
  getExecutor(): { readonly adapter: object }
}

/** Looks at the names of the classes, as an application may have a Kysely of its own beside ours. */
const adapters: readonly (readonly [RegExp, Dialect])[] = [
  [/sqlite/i, "sqlite"],
  [/postgres|pglite/i, "postgres"],
  [/mysql|mariadb/i, "mysql"],
]

/** @throws TypeError when it cannot tell. */
export function dialectOf(kysely: KyselyInstance): Dialect {
  const names = classNames(kysely.getExecutor().adapter)
  const found = adapters.find(([pattern]) => names.some((name) => pattern.test(name)))
  if (found) return found[1]
  throw new TypeError(
    `SqlAdapter cannot tell the dialect from ${names[0] ?? "nothing"}: say it, as in SqlAdapter(kysely, { dialect: "postgres" })`,
  )
}

/** Of an object's class and of those that it extends. */
function classNames(object: object): readonly string[] {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (typeof prototype !== "object" || prototype === null || prototype === Object.prototype) return []
  return [prototype.constructor.name, ...classNames(prototype)]
}
