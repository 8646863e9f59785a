// @ts-check
import { builtinModules, isBuiltin } from "node:module"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, gzipSync } from "node:zlib"

/**
 * @typedef {object} Bundle
 * @property {number} bytes
 * @property {number} gzipBytes
 * @property {number} brotliBytes
 * @property {readonly string[]} nodeModules Modules of Node that it imports.
 * @property {readonly Input[]} inputs
 */

/** @typedef {{ path: string, bytes: number }} Input What a file has put into the bundle. */

/** @type {import("esbuild").BuildOptions} What Cloudflare's bundler sets too, besides the last two. */
const edge = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  platform: "browser",
  conditions: ["workerd", "worker", "browser"],
  // Left to the runtime, so that it can be seen what is asked of it.
  external: ["node:*", ...builtinModules],
  // The one of this repository leads to the sources.
  tsconfigRaw: {},
}

/**
 * Bundles for an edge runtime.
 *
 * @param {import("./contenders.mjs").Contender} contender
 * @returns {Promise<Bundle>}
 */
export async function makeBundle({ entry, home }) {
  // Only now: the runner, which imports this file, installs it first.
  const { build } = await import("esbuild")
  const { outputFiles, metafile } = await build({
    ...edge,
    stdin: { contents: entry, resolveDir: fileURLToPath(home) },
    absWorkingDir: fileURLToPath(new URL("../../", import.meta.url)),
    write: false,
    metafile: true,
    logLevel: "silent",
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  const outputs = Object.values(metafile.outputs)
  return {
    bytes: code.length,
    gzipBytes: gzipSync(code, { level: 9 }).length,
    brotliBytes: brotliCompressSync(code).length,
    nodeModules: [...new Set(outputs.flatMap(({ imports }) => imports.map(({ path }) => path)))].filter(isBuiltin),
    inputs: outputs.flatMap(({ inputs }) =>
      Object.entries(inputs).map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput })),
    ),
  }
}
