import { describe, expect, it } from "@jest/globals"
import { withoutRepeats } from "../../../src/core/config/repeats.js"
import { JWTSessionError } from "../../../src/core/errors.js"

function recorder() {
  const written: string[] = []
  const waiting: (() => void)[] = []
  const log = withoutRepeats({
    write: (error) => written.push(error.message),
    tell: (message) => written.push(message),
    later: (run) => waiting.push(run),
  })
  const passSecond = () => waiting.splice(0).forEach((run) => run())
  return { written, log, passSecond }
}

const unusable = () => new JWTSessionError(new Error("the token could not be decrypted"))

describe("a log without repeats", () => {
  it("has the same error ten times in a second, and then how many more there were", () => {
    const { written, log, passSecond } = recorder()
    for (let count = 0; count < 1000; count++) log(unusable())
    expect(written).toHaveLength(10)

    passSecond()
    expect(written.slice(10)).toEqual([
      expect.stringMatching(/^990 more like this: JWTSessionError: .*the token could not be decrypted$/),
    ])
  })

  it("begins anew each second", () => {
    const { written, log, passSecond } = recorder()
    for (let second = 0; second < 3; second++) {
      for (let count = 0; count < 10; count++) log(unusable())
      passSecond()
    }
    expect(written).toHaveLength(30)
  })

  it("has every error that is another one", () => {
    const { written, log } = recorder()
    for (let count = 0; count < 50; count++) log(new JWTSessionError(new Error(`cause ${count}`)))
    expect(written).toHaveLength(50)
  })

  it("has every error that somebody was given a reference to", () => {
    const { written, log } = recorder()
    for (let count = 0; count < 50; count++) log(Object.assign(unusable(), { correlationId: "abc" }))
    expect(written).toHaveLength(50)
  })

  it("forgets nothing when there are very many different ones", () => {
    const { written, log } = recorder()
    for (let count = 0; count < 12; count++) log(unusable())
    for (let count = 0; count < 99; count++) log(new JWTSessionError(new Error(`cause ${count}`)))
    log(new JWTSessionError(new Error("one too many")))
    expect(written).toHaveLength(10 + 99 + 2)
    expect(written).toContainEqual(expect.stringMatching(/^2 more like this/))
  })
})
