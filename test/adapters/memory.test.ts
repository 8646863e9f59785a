import { describe, expect, it } from "@jest/globals"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import { adapterContract, type AdapterMethod } from "../../src/testing/index.js"

const methods = Object.keys(MemoryAdapter()) as AdapterMethod[]

describe("the memory adapter keeps the contract:", () => {
  it("all of its methods", () => {
    expect(methods).toHaveLength(25)
  })

  it.each(adapterContract({ methods, milliseconds: true }).map((check) => [check.name, check] as const))(
    "%s",
    async (_, { run }) => run(MemoryAdapter()),
  )
})
