/** What holds of database sessions at all times, whatever people do and when. */
import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import type { SessionRead } from "../../../src/core/sessions/strategy.js"
import { at, setting, start } from "./setup.js"
import { annSignsIn, headerOf, holding, setUp } from "./database-setup.js"

type Step = readonly [seconds: number, kind: "visit" | "touch" | "update" | "route"]

const ages = fc.record({ maxAge: fc.integer({ min: 1, max: 1000 }), updateAge: fc.integer({ min: 0, max: 1200 }) })
const steps = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 700 }), fc.constantFrom<Step[1]>("visit", "touch", "update", "route")),
  { maxLength: 25 },
)

/** Reads a session of these ages at each of these times, and tells what was read and written when. */
async function live(options: { maxAge: number; updateAge: number; isAsync: boolean }, taken: readonly Step[]) {
  const given = setUp(options)
  given.keep()
  const reads: { readonly at: number; readonly before: number | undefined; readonly read: SessionRead }[] = []
  for (const [seconds, kind] of taken) {
    given.clock.now += seconds * 1000
    const before = given.expiryOf()
    const read =
      kind === "route"
        ? await given.sessions.visit(headerOf(), setting)
        : await given.sessions.read(at(holding()), kind === "update" ? { kind, data: 1 } : { kind })
    reads.push({ at: given.clock.now / 1000 - start, before, read })
  }
  const writes = given.calls
    .filter(({ method }) => method === "updateSession")
    .map(({ given: [session] }) => (session as { expires: Date }).expires.getTime() / 1000 - start - options.maxAge)
  return { reads, writes, given }
}

describe("a database session, whenever it is read", () => {
  it("lives exactly until the expiry that the store has, and never again", async () => {
    await fc.assert(
      fc.asyncProperty(ages, steps, fc.boolean(), async (options, taken, isAsync) => {
        const { reads } = await live({ ...options, isAsync }, taken)
        for (const { at: now, before, read } of reads) {
          expect(read.session !== null).toBe(before !== undefined && now < before)
        }
        const end = reads.findIndex(({ read }) => read.session === null)
        if (end !== -1) for (const { read } of reads.slice(end)) expect(read.session).toBeNull()
      }),
      { numRuns: 200 },
    )
  })

  it("is never prolonged more than once per updateAge, and never before updateAge has passed", async () => {
    await fc.assert(
      fc.asyncProperty(ages, steps, fc.boolean(), async (options, taken, isAsync) => {
        const { writes } = await live({ ...options, isAsync }, taken)
        const gaps = writes.map((time, index) => time - (writes[index - 1] ?? 0))
        for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(options.updateAge)
      }),
      { numRuns: 200 },
    )
  })

  it("lives on as long as somebody comes at least once in the time that is left after updateAge", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 2, max: 1000 })
          .chain((maxAge) => fc.tuple(fc.constant(maxAge), fc.integer({ min: 0, max: maxAge - 1 }))),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
        async ([maxAge, updateAge], shares) => {
          const longest = maxAge - updateAge
          const taken = shares.map((share) => [Math.floor(share * (longest - 1)), "visit"] as const)
          const { reads } = await live({ maxAge, updateAge, isAsync: true }, taken)
          for (const { read } of reads) expect(read.session).not.toBeNull()
        },
      ),
      { numRuns: 150 },
    )
  })

  it("sets no cookie that outlives what a session may last from now", async () => {
    await fc.assert(
      fc.asyncProperty(ages, steps, async (options, taken) => {
        const { reads } = await live({ ...options, isAsync: true }, taken)
        for (const { at: now, read } of reads) {
          const [cookie] = read.cookies
          if (!cookie || read.session === null) continue
          expect(Number(cookie.options.expires) / 1000 - start).toBe(now + options.maxAge)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe("whoever signs in, out and in again", () => {
  it("has the newest session and no other, and after the last sign-out none", async () => {
    const deeds = fc.array(fc.constantFrom("in", "out", "read", "wait"), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(deeds, async (done) => {
        const given = setUp()
        let cookies = {}
        let isIn = false
        const tokens = new Set<string>()
        for (const deed of done) {
          if (deed === "in") {
            const [cookie] = await given.sessions.create(at(cookies), annSignsIn)
            cookies = holding(cookie?.value)
            tokens.add(cookie?.value ?? "")
            isIn = true
          }
          if (deed === "out") {
            await given.sessions.end(at(cookies))
            isIn = false
          }
          if (deed === "read") await given.sessions.read(at(cookies), { kind: "touch" })
          if (deed === "wait") given.clock.now += 40_000_000
          const alive = [...tokens].filter((token) => given.expiryOf(token) !== undefined)
          expect(alive.length).toBeLessThanOrEqual(isIn ? 1 : 0)
          for (const token of alive) expect(cookies).toEqual(holding(token))
        }
      }),
      { numRuns: 100 },
    )
  })
})
