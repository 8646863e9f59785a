import { describe, expect, it } from "@jest/globals"
import { MemoryRevocations } from "../../src/adapters/memory.js"

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1) + seconds * 1000)

describe("MemoryRevocations", () => {
  it("knows of nothing at first", async () => {
    expect(await MemoryRevocations().revokedAt(["a"])).toBeNull()
  })

  it("gives the latest moment of all keys asked for", async () => {
    const revocations = MemoryRevocations()
    await revocations.revoke("a", at(1), at(100))
    await revocations.revoke("b", at(2), at(100))

    expect(await revocations.revokedAt(["a"])).toEqual(at(1))
    expect(await revocations.revokedAt(["b", "a", "c"])).toEqual(at(2))
    expect(await revocations.revokedAt(["c"])).toBeNull()
    expect(await revocations.revokedAt([])).toBeNull()
  })

  it("forgets what has expired with the next entry", async () => {
    const revocations = MemoryRevocations()
    await revocations.revoke("a", at(1), at(10))
    await revocations.revoke("b", at(10), at(20))

    expect(await revocations.revokedAt(["a"])).toBeNull()
    expect(await revocations.revokedAt(["b"])).toEqual(at(10))
  })

  it("shares no date with whoever asks", async () => {
    const revocations = MemoryRevocations()
    const given = at(1)
    await revocations.revoke("a", given, at(10))
    given.setTime(0)
    ;(await revocations.revokedAt(["a"]))?.setTime(0)

    expect(await revocations.revokedAt(["a"])).toEqual(at(1))
  })
})
