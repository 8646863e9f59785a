import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { isPlainObject, mergeOptions } from "../../../src/core/config/merge.js"
import { deepFreeze } from "../../support/core-deep-freeze.js"

type Plain = Readonly<Record<string, unknown>>

class Transport {
  readonly host = "mail.example"
}

const transport = new Transport()
const address = new URL("https://app.example")
const first = () => 1
const second = () => 2

describe("mergeOptions", () => {
  it.each<readonly [string, Plain, readonly Plain[], Plain]>([
    ["overrides nested members", { a: { b: 1, c: 2 } }, [{ a: { c: 3 } }], { a: { b: 1, c: 3 } }],
    ["overrides primitives", { a: 1, b: "x" }, [{ a: 2 }], { a: 2, b: "x" }],
    ["overrides lists of the same length", { a: [1, 2] }, [{ a: [3, 4] }], { a: [3, 4] }],
    [
      "replaces longer lists by shorter ones",
      { checks: ["pkce", "state"] },
      [{ checks: ["none"] }],
      { checks: ["none"] },
    ],
    ["replaces lists by empty ones", { checks: ["pkce"] }, [{ checks: [] }], { checks: [] }],
    ["lets null override", { a: 1, b: undefined }, [{ a: null, b: null }], { a: null, b: null }],
    ["skips undefined", { a: 1 }, [{ a: undefined }], { a: 1 }],
    ["skips undefined inside", { a: { b: 1 } }, [{ a: { b: undefined } }], { a: { b: 1 } }],
    ["takes several sources, the last one winning", { a: 1 }, [{ a: 2, b: 2 }, { b: 3 }], { a: 2, b: 3 }],
    ["changes nothing for an empty source", { a: { b: 1 } }, [{}], { a: { b: 1 } }],
    ["changes nothing without a source", { a: 1 }, [], { a: 1 }],
    ["adds members", { a: 1 }, [{ b: { c: 1 } }], { a: 1, b: { c: 1 } }],
    ["replaces an object by a text", { token: { url: "x", params: {} } }, [{ token: "y" }], { token: "y" }],
    ["replaces a text by an object", { token: "x" }, [{ token: { url: "y" } }], { token: { url: "y" } }],
    ["replaces null by an object", { a: null }, [{ a: { b: 1 } }], { a: { b: 1 } }],
    ["replaces a list by an object", { a: [1] }, [{ a: { b: 1 } }], { a: { b: 1 } }],
    ["replaces an object by a list", { a: { b: 1 } }, [{ a: [1] }], { a: [1] }],
    ["replaces functions", { profile: first }, [{ profile: second }], { profile: second }],
    ["keeps functions", { profile: first }, [{ other: 1 }], { profile: first, other: 1 }],
    [
      "lets false, 0 and an empty text override",
      { a: 1, b: 1, c: 1 },
      [{ a: false, b: 0, c: "" }],
      { a: false, b: 0, c: "" },
    ],
    [
      "takes over objects without prototype",
      {},
      [{ a: Object.assign(Object.create(null) as object, { b: 1 }) }],
      { a: { b: 1 } },
    ],
  ])("%s", (_what, base, sources, expected) => {
    expect(mergeOptions(base, ...sources)).toEqual(expected)
  })

  it("takes over instances of classes as they are", () => {
    const merged = mergeOptions({ server: { host: "x" }, url: "y" }, { server: transport, url: address })

    expect(merged["server"]).toBe(transport)
    expect(merged["url"]).toBe(address)
  })

  it("replaces an instance of a class by plain options", () => {
    expect(mergeOptions({ server: transport }, { server: { port: 25 } })).toEqual({ server: { port: 25 } })
  })

  it("writes to nothing that it is given", () => {
    const base = deepFreeze({ a: { b: { c: 1 } }, list: [1] })
    const source = deepFreeze({ a: { b: { d: 2 } }, list: [2] })

    expect(mergeOptions(base, source)).toEqual({ a: { b: { c: 1, d: 2 } }, list: [2] })
    expect(base).toEqual({ a: { b: { c: 1 } }, list: [1] })
  })

  it("reaches no prototype", () => {
    const source = JSON.parse(
      '{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true},"constructor":{"x":1}}}',
    ) as Plain

    const merged = mergeOptions({ a: {} }, source)

    expect(Object.keys(merged)).toEqual(["a"])
    expect(merged["admin"]).toBeUndefined()
    expect((merged["a"] as Plain)["admin"]).toBeUndefined()
    expect(({} as Plain)["admin"]).toBeUndefined()
    expect((Object as unknown as Plain)["x"]).toBeUndefined()
  })

  it("gives the source back when that is laid over nothing, and the base when nothing is laid over it", () => {
    const anyOptions = fc.dictionary(
      fc.string().filter((name) => name !== "__proto__"),
      fc.object({ values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)] }),
      { noNullPrototype: true },
    )
    fc.assert(
      fc.property(anyOptions, (options) => {
        fc.pre(!JSON.stringify(options).includes("__proto__"))
        expect(mergeOptions({}, options)).toEqual(options)
        expect(mergeOptions(options, {})).toEqual(options)
        expect(mergeOptions(options, options)).toEqual(options)
      }),
    )
  })
})

describe("isPlainObject", () => {
  it.each<readonly [string, unknown, boolean]>([
    ["an object literal", {}, true],
    ["an object without prototype", Object.create(null), true],
    ["a list", [], false],
    ["null", null, false],
    ["undefined", undefined, false],
    ["a function", first, false],
    ["an instance of a class", transport, false],
    ["a URL", address, false],
    ["a date", new Date(0), false],
    ["a text", "x", false],
  ])("of %s", (_what, value, expected) => {
    expect(isPlainObject(value)).toBe(expected)
  })
})
