/** Reads the facts of a live database, through the driver of its dialect, and nothing but its catalog. */
import { presets } from "../../adapters/sql/schema.js"
import type { Address } from "./address.js"
import type { DatabaseFacts } from "./facts.js"
import { bareName } from "./names.js"
import type { Reading } from "./reading.js"

const patienceMs = 10_000

/** @throws CommandError where the driver is not installed; else whatever the driver throws. */
export async function readFacts(address: Address, folder: string): Promise<DatabaseFacts> {
  const reading: Reading = { folder, patienceMs, candidates: candidates() }
  switch (address.dialect) {
    case "sqlite":
      return await (await import("./read-sqlite.js")).readSqlite(address.path, reading)
    case "postgres":
      return await (await import("./read-postgres.js")).readPostgres(address.url, reading)
    case "mysql":
      return await (await import("./read-mysql.js")).readMysql(address.url, reading)
    default:
      return address satisfies never
  }
}

function candidates(): readonly string[] {
  return [...new Set(Object.values(presets).flatMap((names) => Object.values(names).map(bareName)))]
}
