/** One after the other, by name. */
import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { createTurns } from "../../../src/core/engine/turns.js"

/** Something that is over when it is told to be. */
function deed(name: string, log: string[]) {
  let end = (): void => undefined
  let fail = (): void => undefined
  const ended = new Promise<string>((resolve, reject) => {
    end = () => resolve(name)
    fail = () => reject(new Error(name))
  })
  return {
    end,
    fail,
    run: async () => {
      log.push(`${name} begins`)
      try {
        return await ended
      } finally {
        log.push(`${name} ends`)
      }
    },
  }
}

const settle = () => new Promise(setImmediate)

describe("turns", () => {
  it("come in the order in which they were asked for", async () => {
    const turns = createTurns()
    const log: string[] = []
    const deeds = ["a", "b", "c"].map((name) => deed(name, log))
    const all = Promise.all(deeds.map(({ run }) => turns.take(["line"], run)))

    for (const { end } of [...deeds].reverse()) end()

    expect(await all).toEqual(["a", "b", "c"])
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
  })

  it("do not wait for those under other names", async () => {
    const turns = createTurns()
    const log: string[] = []
    const [slow, quick] = [deed("slow", log), deed("quick", log)]
    const first = turns.take(["one"], slow.run)

    quick.end()
    expect(await turns.take(["another"], quick.run)).toBe("quick")
    expect(log).toEqual(["slow begins", "quick begins", "quick ends"])

    slow.end()
    await first
  })

  it("under several names wait for all of them, and hold all of them up", async () => {
    const turns = createTurns()
    const log: string[] = []
    const account = deed("account", log)
    const email = deed("email", log)
    const both = deed("both", log)
    const later = deed("later", log)
    const all = [
      turns.take(["account"], account.run),
      turns.take(["email"], email.run),
      turns.take(["account", "email"], both.run),
      turns.take(["email"], later.run),
    ]
    await settle()
    expect(log).toEqual(["account begins", "email begins"])

    account.end()
    await settle()
    expect(log).not.toContain("both begins")

    email.end()
    await settle()
    expect(log.slice(-1)).toEqual(["both begins"])

    both.end()
    later.end()
    await Promise.all(all)
    expect(log.slice(-2)).toEqual(["later begins", "later ends"])
  })

  it("under crossed names never wait for each other in a circle", async () => {
    const turns = createTurns()
    const run = (name: string) => async () => {
      await settle()
      return name
    }

    expect(
      await Promise.all([
        turns.take(["a", "b"], run("1")),
        turns.take(["b", "a"], run("2")),
        turns.take(["b", "b", "a"], run("3")),
        turns.take([], run("4")),
      ]),
    ).toEqual(["1", "2", "3", "4"])
  })

  it("go on after one that failed, and tell only whoever began it", async () => {
    const turns = createTurns()
    const log: string[] = []
    const [bad, good] = [deed("bad", log), deed("good", log)]
    const [first, second] = [turns.take(["line"], bad.run), turns.take(["line"], good.run)]

    bad.fail()
    good.end()

    await expect(first).rejects.toThrow("bad")
    expect(await second).toBe("good")
  })

  it("go on after one that throws at once", async () => {
    const turns = createTurns()
    const first = turns.take(["line"], () => {
      throw new Error("at once")
    })
    const second = turns.take(["line"], async () => "good")

    await expect(first).rejects.toThrow("at once")
    expect(await second).toBe("good")
  })

  it("leave nothing behind", async () => {
    const sizes: number[] = []
    const { Map: Original } = globalThis
    const maps: Map<unknown, unknown>[] = []
    globalThis.Map = class extends Original<unknown, unknown> {
      constructor() {
        super()
        maps.push(this)
      }
    }
    const turns = createTurns()
    globalThis.Map = Original

    await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        turns.take([`a${index % 7}`, `b${index}`], async () => {
          sizes.push(...maps.map(({ size }) => size))
          if (index % 3 === 0) throw new Error("failed")
        }),
      ),
    )

    expect(maps).toHaveLength(1)
    expect(Math.max(...sizes)).toBeGreaterThan(100)
    expect(maps[0]?.size).toBe(0)
  })

  it("never overlap under one name, in whatever order they end", async () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 })
    const asked = fc.array(fc.record({ names, ticks: fc.integer({ min: 0, max: 6 }), fails: fc.boolean() }), {
      maxLength: 15,
    })
    await fc.assert(
      fc.asyncProperty(asked, async (all) => {
        const turns = createTurns()
        const holders = new Map<string, number>()
        const begun: number[] = []
        await Promise.allSettled(
          all.map(({ names: own, ticks, fails }, index) =>
            turns.take(own, async () => {
              begun.push(index)
              for (const name of own) {
                expect(holders.get(name)).toBeUndefined()
                holders.set(name, index)
              }
              for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
              for (const name of own) holders.delete(name)
              if (fails) throw new Error("failed")
            }),
          ),
        )
        expect([...begun].sort((one, other) => one - other)).toEqual(all.map((_, index) => index))
        for (const name of ["a", "b", "c", "d"] as const) {
          const line = begun.filter((index) => all[index]?.names.includes(name))
          expect(line).toEqual([...line].sort((one, other) => one - other))
        }
      }),
      { numRuns: 150 },
    )
  })
})
