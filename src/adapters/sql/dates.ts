/** How moments in time are kept, which differs more between databases than anything else. */
import type { Dialect, Preset, SqliteDates, TableKey } from "./schema.js"

export interface DateOptions {
  /**
   * How dates are kept where the type of a column does not tell. SQLite: `text` in ISO 8601, or `milliseconds` since the
   * epoch; default as the column's type says. MySQL: `text` writes and reads UTC, whatever the driver is set to;
   * `driver` leaves it to the driver's time zone, as `@auth/kysely-adapter` does, and is the default of the preset
   * `kysely`. PostgreSQL needs no choice.
   */
  readonly dates?: SqliteDates | "driver" | undefined
  readonly tables?: Preset | Readonly<Partial<Record<TableKey, string>>> | undefined
}

export type DateStorage = "iso" | "utc" | "milliseconds" | "driver"

export function dateStorageOf(dialect: Dialect, dataType: string, options: DateOptions): DateStorage {
  switch (dialect) {
    case "postgres":
      return "iso"
    case "mysql":
      return (options.dates ?? (options.tables === "kysely" ? "driver" : "text")) === "driver" ? "driver" : "utc"
    case "sqlite":
      return (options.dates ?? (/int/i.test(dataType) ? "milliseconds" : "text")) === "milliseconds"
        ? "milliseconds"
        : "iso"
  }
}

const writers: Readonly<Record<DateStorage, (date: Date) => unknown>> = {
  iso: (date) => date.toISOString(),
  utc: (date) => date.toISOString().replace("T", " ").replace("Z", ""),
  milliseconds: (date) => date.getTime(),
  driver: (date) => date,
}

/** @throws RangeError for a date that is no moment in time. */
export function writeDate(storage: DateStorage, value: unknown): unknown {
  const date = readDate(value)
  if (date === null) return null
  if (Number.isNaN(date.getTime())) throw new RangeError("expected a date, got something that is no moment in time")
  return writers[storage](date)
}

/** Whether `value` is a date, of this realm or another one. */
export function isDateObject(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]"
}

const withoutZone = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/

/** Whatever a database gave as a date: an object, a text (UTC where it names no zone), or milliseconds. */
export function readDate(value: unknown): Date | null {
  if (value === null || value === undefined) return null
  // As most databases give it, and most requests ask for it.
  if (typeof value === "string" && value.endsWith("Z")) return new Date(value)
  if (isDateObject(value)) return value
  if (typeof value === "number" || typeof value === "bigint") return new Date(Number(value))
  if (typeof value !== "string") return new Date(Number.NaN)
  if (/^\d+(?:\.0)?$/.test(value)) return new Date(Number(value))
  return new Date(value.replace(withoutZone, "$1T$2Z"))
}
