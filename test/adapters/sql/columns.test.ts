import { describe, expect, it } from "@jest/globals"
import { decode } from "../../../src/adapters/sql/columns.js"

describe("an id that was read", () => {
  it.each([
    ["7", "7"],
    [7, "7"],
    [9007199254740993n, "9007199254740993"],
    [9007199254740991, "9007199254740991"],
  ])("is a text: %p", (value, id) => {
    expect(decode("id", value)).toBe(id)
    expect(decode("userId", value)).toBe(id)
  })

  it.each([9007199254740992, 1.5, Number.NaN])("is refused when it may have been rounded: %p", (value) => {
    expect(() => decode("id", value)).toThrow(RangeError)
    expect(() => decode("userId", value)).toThrow("an id was read as a number that may have been rounded")
  })
})
