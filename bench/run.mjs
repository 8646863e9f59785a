// @ts-check
import { installOnce } from "./lib/install.mjs"
import { describeMachine } from "./lib/machine.mjs"
import { readOptions } from "./lib/options.mjs"
import { compareGuards } from "./guard/compare.mjs"
import { chooseContenders } from "./guard/contenders.mjs"
import { renderGuards } from "./guard/report.mjs"
import { measureOpening, renderOpening } from "./guard/opening.mjs"

try {
  const options = readOptions(process.argv.slice(2))
  installOnce()
  const contenders = chooseContenders(options.only)
  const guards = await compareGuards(contenders, options, (line) => console.error(line))
  const openings = options.tokens ? await measureOpening() : []

  console.log(describeMachine())
  console.log(renderGuards(guards, options))
  if (openings.length > 0) console.log(renderOpening(openings))
  if (guards.some((guard) => guard.failures > 0)) process.exitCode = 1
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
