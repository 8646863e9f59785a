/** What is there: the tables of a live database, alike for every dialect. */
import type { Dialect } from "../../adapters/sql/schema.js"

export interface DatabaseFacts {
  readonly dialect: Dialect
  /** Whether `User` and `user` are the same name. */
  readonly ignoresCase: { readonly tables: boolean; readonly columns: boolean }
  readonly tables: readonly TableFacts[]
}

export interface TableFacts {
  readonly name: string
  readonly columns: readonly ColumnFacts[]
  /** Primary key, unique constraints and indexes; those of a part of the rows or of expressions left out. */
  readonly indexes: readonly IndexFacts[]
  readonly foreignKeys: readonly ForeignKeyFacts[]
}

export interface ColumnFacts {
  readonly name: string
  /** As the database shows it: `character varying(255)`. */
  readonly type: string
  /** The bare name of the type, in lower case: `varchar`. In SQLite, the declared type. */
  readonly base: string
  /** Characters, or bytes where the database counts those; `null` without a limit. */
  readonly maxLength: number | null
  readonly isNullable: boolean
  /** Whether a row that does not name the column gets a value other than NULL. */
  readonly isFilled: boolean
  /** Whether texts that differ in case count as the same. */
  readonly ignoresCase: boolean
}

export interface IndexFacts {
  readonly columns: readonly string[]
  readonly isUnique: boolean
}

export interface ForeignKeyFacts {
  /** `null` where the database has no names for them. */
  readonly name: string | null
  readonly columns: readonly string[]
  readonly table: string
  /** Empty: the primary key of that table. */
  readonly references: readonly string[]
  /** `unknown` where the user may not see it. */
  readonly onDelete: "cascade" | "other" | "unknown"
}
