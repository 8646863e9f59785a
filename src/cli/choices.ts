/** What the options of `latchkey schema` may say. */
import { presets, type Dialect, type IdKind, type Preset, type SqliteDates } from "../adapters/sql/schema.js"

export const choices = {
  dialect: ["sqlite", "postgres", "mysql"],
  ids: ["text", "uuid", "integer"],
  tables: Object.keys(presets) as readonly Preset[],
  dates: ["text", "milliseconds"],
} as const satisfies {
  readonly dialect: readonly Dialect[]
  readonly ids: readonly IdKind[]
  readonly tables: readonly Preset[]
  readonly dates: readonly SqliteDates[]
}

/** What the user said of the tables; the rest is taken from the database, or is the default. */
export interface SchemaChoices {
  readonly ids: IdKind | undefined
  readonly tables: Preset | undefined
  readonly dates: SqliteDates | undefined
}
