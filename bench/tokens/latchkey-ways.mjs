// @ts-check
import { existsSync } from "node:fs"
import { nameWithVersion } from "../lib/versions.mjs"

const core = new URL("../../dist/core/", import.meta.url)

/**
 * The ways in which Latchkey opens a token; none where it has not been built.
 *
 * @param {string} secret
 * @param {string} salt
 * @returns {Promise<import("./open-token.mjs").Way[]>}
 */
export async function latchkeyWays(secret, salt) {
  if (!existsSync(new URL("jwt.js", core))) return []
  const name = nameWithVersion("latchkey")
  const { decode } = await import(new URL("jwt.js", core).href)
  return [
    { label: `decode of ${name}`, open: (token) => decode({ token, secret, salt }) },
    { label: `${name} on Node, key ready`, open: await openWith("jwe.node.js", secret, salt) },
    { label: `${name} on Web Crypto, key ready`, open: await openWith("jwe.web.js", secret, salt) },
  ]
}

/**
 * What a mounted instance does for each session cookie: the key is derived once.
 *
 * @param {string} file
 * @param {string} secret
 * @param {string} salt
 * @returns {Promise<import("./open-token.mjs").Open>}
 */
async function openWith(file, secret, salt) {
  const { deriveKey, openToken } = await import(new URL(`crypto/${file}`, core).href)
  const keys = [await deriveKey(secret, salt)]
  return async (token) => JSON.parse(await openToken(token, keys))
}
