// @ts-check
import { installOnce } from "./lib/install.mjs"
import { describeMachine } from "./lib/machine.mjs"
import { readOptions } from "./lib/options.mjs"
import { measureGuards } from "./guard/guard.mjs"
import { measureOpening } from "./guard/opening.mjs"
import { measureStorage } from "./storage/storage.mjs"

/**
 * @callback Benchmark
 * @param {import("./lib/options.mjs").Options} options
 * @param {(line: string) => void} report Is told about the progress.
 * @returns {Promise<{ text: string, isFailed: boolean }>} What to print.
 */

/** @type {Readonly<Record<import("./lib/options.mjs").BenchmarkName, Benchmark>>} */
const benchmarks = { guard: measureGuards, tokens: measureOpening, storage: measureStorage }

try {
  const options = readOptions(process.argv.slice(2))
  installOnce()
  console.log(describeMachine())
  for (const name of options.benchmarks) {
    const { text, isFailed } = await benchmarks[name](options, (line) => console.error(line))
    console.log(text)
    if (isFailed) process.exitCode = 1
  }
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
