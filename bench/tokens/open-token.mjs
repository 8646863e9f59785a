// @ts-check
// A process of its own: how long opening one session token takes, in microseconds, by each way that is there.
import { hkdfSync } from "node:crypto"
import { decode as authCoreDecode, encode } from "@auth/core/jwt"
import { jwtDecrypt } from "jose"
import { nameWithVersion } from "../lib/versions.mjs"
import { spreadOf } from "../lib/stats.mjs"
import { latchkeyWays } from "./latchkey-ways.mjs"
import { user } from "../lib/user.mjs"

/** @typedef {(token: string) => unknown} Open Promises what the token says, or returns it. */
/** @typedef {{ label: string, open: Open }} Way */
/** @typedef {{ label: string, micros: import("../lib/stats.mjs").Spread }} Opening */

const rounds = 7
const millisPerRound = 120
// So many that no two calls in a row open the same. None of the ways remembers what it has opened.
const tokenCount = 5000

const secret = "a secret of the benchmark, 32+ characters"
const salt = "authjs.session-token"
const key = new Uint8Array(hkdfSync("sha256", secret, salt, `Auth.js Generated Encryption Key (${salt})`, 64))

/** @type {Way[]} */
const peers = [
  { label: `decode of ${nameWithVersion("@auth/core")}`, open: (token) => authCoreDecode({ token, secret, salt }) },
  { label: `jwtDecrypt of ${nameWithVersion("jose")}, key ready`, open: (token) => jwtDecrypt(token, key) },
]

const openings = await measureAll([...(await latchkeyWays(secret, salt)), ...peers], await mintTokens())
if (process.send) process.send(openings, () => process.exit())
else console.log(openings)

/** @returns {Promise<string[]>} */
async function mintTokens() {
  const tokens = []
  for (let index = 0; index < tokenCount; index++) {
    tokens.push(await encode({ token: { sub: user.id, name: user.name, email: user.email }, secret, salt }))
  }
  return tokens
}

/**
 * @param {readonly Way[]} ways
 * @param {readonly string[]} tokens
 * @returns {Promise<Opening[]>}
 */
async function measureAll(ways, tokens) {
  for (const way of ways) await assertOpens(way, tokens[0] ?? "")
  /** @type {Map<Way, number[]>} */
  const samples = new Map(ways.map((way) => [way, []]))
  for (const way of ways) await timeOpening(way, tokens)
  for (let round = 0; round < rounds; round++) {
    for (const [way, micros] of samples) micros.push(await timeOpening(way, tokens))
  }
  return [...samples].map(([{ label }, micros]) => ({ label, micros: spreadOf(micros) }))
}

/**
 * @param {Way} way
 * @param {readonly string[]} tokens
 * @returns {Promise<number>} Microseconds per token.
 */
async function timeOpening({ open }, tokens) {
  const startedAt = performance.now()
  let elapsed = 0
  let count = 0
  while (elapsed < millisPerRound) {
    for (let step = 0; step < 50; step++) await open(tokens[count++ % tokens.length] ?? "")
    elapsed = performance.now() - startedAt
  }
  return (elapsed * 1000) / count
}

/**
 * @param {Way} way
 * @param {string} token
 */
async function assertOpens({ label, open }, token) {
  const opened = JSON.stringify(await open(token))
  if (!opened?.includes(user.name)) throw new Error(`${label}: expected the claims of the token, got ${opened}`)
}
