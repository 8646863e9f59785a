// @ts-check
import { assertBuilt } from "../lib/built.mjs"
import { contenders, edgeCore } from "./contenders.mjs"
import { makeBundle } from "./make-bundle.mjs"
import { describeInputs, describeNeeds, renderBundles } from "./report.mjs"

const how =
  "Made by esbuild for an edge runtime: minified ES modules under the conditions `workerd`, `worker` and `browser`. better-auth has all of its providers in it."

/** @type {import("../run.mjs").Benchmark} */
export async function measureBundle() {
  assertBuilt()
  const bundled = await Promise.all(
    contenders.map(async (contender) => ({ contender, bundle: await makeBundle(contender) })),
  )
  const ofEdge = bundled.filter(({ contender }) => contender === edgeCore)
  return {
    title: "(k) Bytes of the edge bundle",
    tables: [renderBundles(bundled)],
    bars: [],
    notes: [how, ...ofEdge.map(describeInputs), ...ofEdge.flatMap(describeNeeds)],
    rows: [],
    isFailed: ofEdge.some(({ bundle }) => bundle.nodeModules.length > 0),
  }
}
