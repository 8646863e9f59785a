import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { adoptBody, BodyError, bodyLimit, parseBody, readBodyBytes } from "../../../src/core/http/body.js"

const form = "application/x-www-form-urlencoded"
const bytes = (text: string) => new TextEncoder().encode(text)
const parse = (contentType: string, text: string) => parseBody(contentType, bytes(text))
const parseForm = (text: string) => parse(form, text)
const parseJson = (value: unknown) => parse("application/json", JSON.stringify(value))

async function refusal(parsing: Promise<unknown>): Promise<BodyError> {
  const error: unknown = await parsing.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(BodyError)
  return error as BodyError
}

async function multipart(fields: readonly (readonly [string, string | Blob])[]) {
  const data = new FormData()
  for (const [name, value] of fields) data.append(name, value)
  const response = new Response(data)
  const contentType = response.headers.get("content-type") ?? ""
  return { contentType, body: new Uint8Array(await response.arrayBuffer()) }
}

describe("media types", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "APPLICATION/JSON",
    " application/json ;x=y",
  ])("reads %j as JSON", async (contentType) => {
    expect(await parse(contentType, '{"a":1}')).toEqual({ a: 1 })
  })

  it.each([form, `${form}; charset=utf-8`, form.toUpperCase()])("reads %j as a form", async (contentType) => {
    expect(await parse(contentType, "a=1")).toEqual({ a: "1" })
  })

  it.each([
    "",
    "text/plain",
    "text/plain;application/json",
    "text/plain; application/x-www-form-urlencoded",
    "application/jsonx",
    "application/json+x",
    "application/vnd.api+json",
    "text/json",
    "xapplication/json",
    "application/x-www-form-urlencodedx",
    "application/octet-stream",
    "multipart/mixed; boundary=x",
    "application/xml",
    "json",
  ])("has no body for %j, which is no error", async (contentType) => {
    expect(await parse(contentType, '{"csrfToken":"x"}')).toBeUndefined()
  })
})

describe("JSON", () => {
  it("keeps values as they are", async () => {
    const body = { text: "ü🦊", number: 1.5, yes: true, nothing: null, list: [1, { a: [] }], nested: { a: { b: "c" } } }

    expect(await parseJson(body)).toEqual(body)
  })

  it("has no body when there is none", async () => {
    expect(await parse("application/json", "")).toBeUndefined()
  })

  it.each(["{", "{a:1}", "{'a':1}", "undefined", "NaN", '{"a":1}}', "a=1", "\u0000"])(
    "refuses %j as malformed",
    async (text) => {
      expect(await refusal(parse("application/json", text))).toMatchObject({ status: 400 })
    },
  )

  it.each(["[]", '["a"]', '"text"', "1", "true", "null"])("refuses %s, which is no object", async (text) => {
    expect(await refusal(parse("application/json", text))).toMatchObject({ status: 400 })
  })

  it("takes the last of two members of one name, as JSON does", async () => {
    expect(await parse("application/json", '{"csrfToken":"a","csrfToken":"b"}')).toEqual({ csrfToken: "b" })
  })

  it("does not quote the body in an error", async () => {
    const { message } = await refusal(parse("application/json", '{"password":"hunter2"'))

    expect(message).not.toContain("hunter2")
  })
})

describe("URL-encoded forms", () => {
  it.each<readonly [string, unknown]>([
    ["a=1&b=2", { a: "1", b: "2" }],
    ["a=", { a: "" }],
    ["a", { a: "" }],
    ["", {}],
    ["a=x+y%20z", { a: "x y z" }],
    ["a=%C3%BC", { a: "ü" }],
    ["a=1&a=2", { a: ["1", "2"] }],
    ["a=1&a=2&a=3", { a: ["1", "2", "3"] }],
    ["a[]=1", { a: ["1"] }],
    ["a[]=1&a[]=2", { a: ["1", "2"] }],
    ["a=1&a[]=2", { a: ["1", "2"] }],
    ["a[b]=1", { a: { b: "1" } }],
    ["a[b]=1&a[c]=2", { a: { b: "1", c: "2" } }],
    ["a[b][c]=1&a[b][d]=2", { a: { b: { c: "1", d: "2" } } }],
    ["a[b][]=1&a[b][]=2", { a: { b: ["1", "2"] } }],
    ["a[b]=1&a[b]=2", { a: { b: ["1", "2"] } }],
    ["a[b][c][d][e]=1", { a: { b: { c: { d: { e: "1" } } } } }],
    ["%61[b]=1", { a: { b: "1" } }],
    ["a[=1", { "a[": "1" }],
    ["a]=1", { "a]": "1" }],
    ["[a]=1", { "[a]": "1" }],
    ["a[b]c=1", { "a[b]c": "1" }],
    ["a[[b]]=1", { "a[[b]]": "1" }],
  ])("reads %s", async (text, expected) => {
    expect(await parseForm(text)).toEqual(expected)
  })

  it("takes names beyond five levels as they stand", async () => {
    expect(await parseForm("a[b][c][d][e][f]=1")).toEqual({ "a[b][c][d][e][f]": "1" })
  })

  it.each(["toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "__defineGetter__", "__lookupSetter__"])(
    "reads a field called %s like any other",
    async (name) => {
      expect(await parseForm(`${name}=x`)).toEqual({ [name]: "x" })
      expect(await parseForm(`${name}[]=x`)).toEqual({ [name]: ["x"] })
      expect(await parseForm(`a[${name}]=x`)).toEqual({ a: { [name]: "x" } })
    },
  )

  it("accepts 200 fields, and refuses more", async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join("&")

    expect(Object.keys((await parseForm(fields(200))) ?? {})).toHaveLength(200)
    expect(await refusal(parseForm(fields(201)))).toMatchObject({ status: 400 })
    expect(await refusal(parseForm("a=1&".repeat(5000)))).toMatchObject({ status: 400 })
  })

  it("gives back what was written, whatever the values", async () => {
    const anyName = fc
      .string({ unit: "grapheme" })
      .filter((name) => !/[[\]]|^(__proto__|constructor|prototype)$/.test(name))
    const anyField = fc.dictionary(
      anyName.filter((name) => !(name in {})),
      fc.string({ unit: "grapheme" }),
      { noNullPrototype: true },
    )
    await fc.assert(
      fc.asyncProperty(anyField, async (fields) => {
        expect(await parseForm(new URLSearchParams(fields).toString())).toEqual(fields)
      }),
      { numRuns: 60 },
    )
  })
})

describe("multipart forms", () => {
  it("are read like others", async () => {
    const { contentType, body } = await multipart([
      ["csrfToken", "x"],
      ["text", "ü\r\n--x"],
      ["a[b]", "1"],
      ["list", "1"],
      ["list", "2"],
    ])

    expect(await parseBody(contentType, body)).toEqual({
      csrfToken: "x",
      // A form is sent with CRLF line ends.
      text: "ü\r\n--x",
      a: { b: "1" },
      list: ["1", "2"],
    })
  })

  it("lose their files", async () => {
    const { contentType, body } = await multipart([
      ["avatar", new Blob(["GIF89a"])],
      ["name", "Ann"],
    ])

    expect(await parseBody(contentType, body)).toEqual({ name: "Ann" })
  })

  it("lose unsafe names", async () => {
    const { contentType, body } = await multipart([
      ["__proto__[admin]", "1"],
      ["name", "Ann"],
    ])

    expect(await parseBody(contentType, body)).toEqual({ name: "Ann" })
  })

  it("may have a boundary in capitals", async () => {
    const text = '--XyZ\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--XyZ--\r\n'

    expect(await parse("Multipart/Form-Data; boundary=XyZ", text)).toEqual({ a: "1" })
  })

  it.each([
    ["without a boundary", "multipart/form-data", "--x--\r\n"],
    ["that do not contain their boundary", "multipart/form-data; boundary=x", "a=1"],
    [
      "that end in the middle",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="a"\r\n',
    ],
  ])("are refused %s", async (_what, contentType, text) => {
    expect(await refusal(parse(contentType, text))).toMatchObject({ status: 400 })
  })

  it("are refused when they have more than 200 fields", async () => {
    const { contentType, body } = await multipart(Array.from({ length: 201 }, () => ["a", "1"] as const))

    expect(await refusal(parseBody(contentType, body))).toMatchObject({ status: 400 })
  })
})

describe("names that reach a prototype", () => {
  it("disappear from JSON at any depth, and only they", async () => {
    const text =
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"p":1}},"prototype":1,"a":{"__proto__":{"p":1},"b":[{"constructor":1,"c":2}]},"proto":1}'

    expect(await parse("application/json", text)).toStrictEqual({ a: { b: [{ c: 2 }] }, proto: 1 })
  })

  it.each([
    "__proto__=1",
    "__proto__[admin]=1",
    "__proto__[]=1",
    "constructor[prototype][admin]=1",
    "prototype[admin]=1",
    "a[__proto__][admin]=1",
    "a[b][constructor][prototype][p]=1",
    "%5f_proto__[admin]=1",
    "a[__proto__]=1",
  ])("disappear from the form %s", async (text) => {
    expect(await parseForm(`${text}&b=2`)).toStrictEqual({ b: "2" })
  })

  it("disappear from a body that another parser read", () => {
    const parsed: unknown = JSON.parse('{"__proto__":{"admin":true},"a":{"constructor":1,"b":2}}')

    expect(adoptBody(parsed)).toStrictEqual({ a: { b: 2 } })
  })

  it("change no object but the body's own", async () => {
    const names = fc.constantFrom("__proto__", "constructor", "prototype", "a", "toString", "")
    const field = fc
      .tuple(names, fc.array(names, { maxLength: 6 }))
      .map(([head, rest]) => `${head}${rest.map((each) => `[${each}]`).join("")}=polluted`)
    const before = Object.getOwnPropertyNames(Object.prototype)
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 6 }), async (fields) => {
        await parseForm(fields.join("&"))
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
        expect(({} as Record<string, unknown>)["a"]).toBeUndefined()
        expect(typeof {}.toString).toBe("function")
      }),
      { numRuns: 200 },
    )
  })
})

describe("depth", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`

  it("may be 32 levels", async () => {
    expect(await parse("application/json", nested(32))).toBeDefined()
  })

  it.each([33, 100, 10_000])("may not be %d levels", async (depth) => {
    expect(await refusal(parse("application/json", nested(depth)))).toMatchObject({ status: 400 })
  })

  it("counts lists as well", async () => {
    const text = `{"a":${"[".repeat(100)}${"]".repeat(100)}}`

    expect(await refusal(parse("application/json", text))).toMatchObject({ status: 400 })
  })

  it("counts in a body that another parser read", () => {
    expect(() => adoptBody(JSON.parse(nested(100)))).toThrow(BodyError)
  })
})

describe("encoding", () => {
  const invalid = new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])

  it.each(["application/json", form])("must be UTF-8 in %s", async (contentType) => {
    expect(await refusal(parseBody(contentType, invalid))).toMatchObject({ status: 400 })
  })

  it("may begin with a byte order mark", async () => {
    expect(await parse("application/json", '\ufeff{"a":1}')).toEqual({ a: 1 })
  })

  it("that is broken inside a field does not fail", async () => {
    expect(await parseForm("a=%FF")).toEqual({ a: "\ufffd" })
    expect(await parseForm("a=%")).toEqual({ a: "%" })
  })
})

describe("adoptBody", () => {
  it.each([undefined, null, "", "text", 1, true])("finds no body in %j", (parsed) => {
    expect(adoptBody(parsed)).toBeUndefined()
  })

  it("finds no body in a list", () => {
    expect(adoptBody([{ a: 1 }])).toBeUndefined()
  })

  it("leaves what it was given as it was", () => {
    const parsed = JSON.parse('{"a":{"constructor":1}}') as object
    adoptBody(parsed)

    expect(JSON.stringify(parsed)).toBe('{"a":{"constructor":1}}')
  })

  it("takes over an object without prototype", () => {
    expect(adoptBody(Object.assign(Object.create(null) as object, { a: "1" }))).toEqual({ a: "1" })
  })
})

describe("readBodyBytes", () => {
  interface Stream {
    readonly chunks: AsyncGenerator<Uint8Array>
    readonly state: { given: number; isClosed: boolean }
  }

  function streamOf(sizes: readonly number[]): Stream {
    const state = { given: 0, isClosed: false }
    async function* generate(): AsyncGenerator<Uint8Array> {
      try {
        for (const size of sizes) {
          state.given += 1
          yield new Uint8Array(size).fill(state.given)
        }
      } finally {
        state.isClosed = true
      }
    }
    return { chunks: generate(), state }
  }

  it("puts chunks together in their order", async () => {
    expect(await readBodyBytes(streamOf([1, 0, 2]).chunks)).toEqual(new Uint8Array([1, 3, 3]))
    expect(await readBodyBytes(streamOf([]).chunks)).toEqual(new Uint8Array())
  })

  it("accepts 64 KB and refuses one byte more", async () => {
    expect(bodyLimit).toBe(65536)
    expect(await readBodyBytes(streamOf([65535, 1]).chunks)).toHaveLength(65536)
    expect(await refusal(readBodyBytes(streamOf([65536, 1]).chunks))).toMatchObject({ status: 413 })
  })

  it("stops at the chunk that is too much, and lets go of the stream", async () => {
    const { chunks, state } = streamOf(Array.from({ length: 1000 }, () => 10_000))

    expect(await refusal(readBodyBytes(chunks))).toMatchObject({ status: 413 })
    expect(state).toEqual({ given: 7, isClosed: true })
  })

  it("hands on what the stream throws", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1)
      throw new Error("connection lost")
    }

    await expect(readBodyBytes(broken())).rejects.toThrow("connection lost")
  })
})
