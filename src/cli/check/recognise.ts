/** Recognises which names, ids and dates a database was made with. */
import { idKindOf } from "../../adapters/sql/ids.js"
import { presets, type IdKind, type Preset, type SqliteDates } from "../../adapters/sql/schema.js"
import type { SchemaChoices } from "../choices.js"
import { familyOf } from "./column-types.js"
import type { DatabaseFacts } from "./facts.js"
import { findColumn, findTable } from "./names.js"
import type { SchemaOptions } from "./needs.js"

/** What the user said, and else what is there; with nothing there, the defaults. */
export function recogniseOptions(facts: DatabaseFacts, choices: SchemaChoices): SchemaOptions {
  const tables = choices.tables ?? recogniseTables(facts)
  return {
    dialect: facts.dialect,
    tables,
    ids: choices.ids ?? recogniseIds(facts, tables),
    dates: choices.dates ?? recogniseDates(facts, tables),
  }
}

/** The preset with the most of its tables there; spelling in the same case counts more. */
function recogniseTables(facts: DatabaseFacts): Preset {
  const names = facts.tables.map(({ name }) => name)
  const score = (preset: Preset): number => {
    const wanted = Object.values(presets[preset])
    const found = wanted.filter((name) => findTable(facts, name)).length
    const exact = wanted.filter((name) => names.includes(name)).length
    return found * (wanted.length + 1) + exact
  }
  const all = Object.keys(presets) as readonly Preset[]
  return all.reduce((best, each) => (score(each) > score(best) ? each : best))
}

/** Presets with the same names: which of them it was cannot be told. */
export function presetsLike(preset: Preset): readonly Preset[] {
  const all = Object.keys(presets) as readonly Preset[]
  return all.filter((each) => JSON.stringify(presets[each]) === JSON.stringify(presets[preset]))
}

function recogniseIds(facts: DatabaseFacts, tables: Preset): IdKind {
  const users = findTable(facts, presets[tables].users)
  const id = users && findColumn(facts, users, "id")
  return id ? idKindOf(id.base) : "text"
}

function recogniseDates(facts: DatabaseFacts, tables: Preset): SqliteDates {
  const sessions = findTable(facts, presets[tables].sessions)
  const expires = sessions && findColumn(facts, sessions, "expires")
  const isInteger = expires ? familyOf("sqlite", expires.base) === "integer" : tables === "drizzle"
  return isInteger ? "milliseconds" : "text"
}
