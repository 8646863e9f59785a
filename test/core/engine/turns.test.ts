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

  it("wait for whoever is at it, though those before are over", async () => {
    const turns = createTurns()
    const log: string[] = []
    const [first, second, third] = [deed("first", log), deed("second", log), deed("third", log)]
    const all = [turns.take(["line"], first.run), turns.take(["line"], second.run)]
    first.end()
    await settle()

    all.push(turns.take(["line"], third.run))
    await settle()
    expect(log).toEqual(["first begins", "first ends", "second begins"])

    second.end()
    third.end()
    await Promise.all(all)
    expect(log.slice(-2)).toEqual(["third begins", "third ends"])
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

  it("never overlap under one name, and keep its order, whenever they are asked for and however they end", async () => {
    const all = ["a", "b", "c", "d"] as const
    const ticks = fc.integer({ min: 0, max: 9 })
    const names = fc.uniqueArray(fc.constantFrom(...all), { maxLength: 3 })
    const deeds = fc.array(fc.record({ names, pause: ticks, length: ticks, fails: fc.boolean() }), { maxLength: 15 })
    await fc.assert(
      fc.asyncProperty(deeds, async (asked) => {
        const turns = createTurns()
        const busy = new Set<string>()
        const begun: number[] = []
        const overlaps: string[] = []
        const running: Promise<void>[] = []
        for (const [index, { names: own, pause, length, fails }] of asked.entries()) {
          await tick(pause)
          const run = async () => {
            begun.push(index)
            overlaps.push(...own.filter((name) => busy.has(name)))
            for (const name of own) busy.add(name)
            await tick(length)
            for (const name of own) busy.delete(name)
            if (fails) throw new Error("failed")
          }
          running.push(turns.take(own, run))
          running.at(-1)?.catch(() => undefined)
        }
        await Promise.allSettled(running)

        expect(overlaps).toEqual([])
        expect(begun).toHaveLength(asked.length)
        for (const name of all) {
          const line = begun.filter((index) => asked[index]?.names.includes(name))
          expect(line).toEqual([...line].sort((one, other) => one - other))
        }
      }),
      { numRuns: 200 },
    )
  })
})

async function tick(times: number): Promise<void> {
  for (let time = 0; time < times; time++) await Promise.resolve()
}
