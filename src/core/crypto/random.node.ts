/** Random bytes on Node, drawn from the system many at a time: one call costs 2 µs however few it is for. */
import { randomBytes } from "node:crypto"

const poolSize = 4096

/** Hands out every byte once, as `crypto.randomUUID` of Node does. */
function createPool(): (length: number) => Buffer {
  let pool: Buffer = Buffer.alloc(0)
  let taken = 0
  return (length) => {
    if (taken + length > pool.length) {
      pool = randomBytes(Math.max(poolSize, length))
      taken = 0
    }
    taken += length
    return pool.subarray(taken - length, taken)
  }
}

/** `length` random bytes. */
export const takeRandom = createPool()
