import { describe, expect, it } from "@jest/globals"
import { BodyError } from "../../../src/core/http/body.js"
import {
  baseUrlOf,
  fromWebRequest,
  normalizeBasePath,
  prefersJson,
  type AuthRequest,
} from "../../../src/core/http/request.js"

const address = "https://app.example/auth/session?x=1"
const json = { "content-type": "application/json" }

describe("fromWebRequest", () => {
  it("takes a request apart", async () => {
    const request = new Request(address, { headers: { cookie: "a=1; b=x%7Cy", accept: "text/html" } })

    const { method, url, basePath, headers, cookies, body } = await fromWebRequest(request, "/auth/")

    expect(method).toBe("GET")
    expect(url.href).toBe(address)
    expect(basePath).toBe("/auth")
    expect(headers.get("accept")).toBe("text/html")
    expect({ ...cookies }).toEqual({ a: "1", b: "x|y" })
    expect(body).toBeUndefined()
  })

  it.each([
    ["JSON", json, '{"a":"1"}'],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, "a=1"],
  ])("reads the body of a POST that is %s", async (_what, headers, body) => {
    expect((await fromWebRequest(new Request(address, { method: "POST", headers, body }), "/auth")).body).toEqual({
      a: "1",
    })
  })

  it("reads a body that the platform encoded", async () => {
    const form = new FormData()
    form.append("a", "1")
    const parameters = new URLSearchParams({ a: "1" })

    for (const body of [form, parameters]) {
      expect((await fromWebRequest(new Request(address, { method: "POST", body }), "/auth")).body).toEqual({ a: "1" })
    }
  })

  it.each(["PUT", "PATCH", "DELETE"])("does not read the body of a %s", async (method) => {
    const request = new Request(address, { method, headers: json, body: "{" })

    expect((await fromWebRequest(request, "/auth")).body).toBeUndefined()
    expect(request.bodyUsed).toBe(false)
  })

  it("has no body for a POST without one", async () => {
    expect(
      (await fromWebRequest(new Request(address, { method: "POST", headers: json }), "/auth")).body,
    ).toBeUndefined()
  })

  it("has no body for a POST of text", async () => {
    const request = new Request(address, { method: "POST", body: '{"a":1}' })

    expect((await fromWebRequest(request, "/auth")).body).toBeUndefined()
  })

  it("does not change the caller's URL with the request's", async () => {
    const request = new Request(address)
    const { url } = await fromWebRequest(request, "/auth")
    url.pathname = "/"

    expect(request.url).toBe(address)
  })

  it("refuses a malformed body", async () => {
    const request = new Request(address, { method: "POST", headers: json, body: "{" })

    await expect(fromWebRequest(request, "/auth")).rejects.toMatchObject({ name: "BodyError", status: 400 })
  })

  it("refuses a body that somebody has read before", async () => {
    const request = new Request(address, { method: "POST", headers: json, body: "{}" })
    await request.text()

    await expect(fromWebRequest(request, "/auth")).rejects.toMatchObject({ name: "BodyError", status: 400 })
  })

  it("accepts a body of 64 KB and refuses one of a byte more", async () => {
    const send = (size: number) => {
      const body = JSON.stringify({ a: "x".repeat(size - 8) })
      return fromWebRequest(new Request(address, { method: "POST", headers: json, body }), "/auth")
    }

    expect((await send(65536)).body).toBeDefined()
    await expect(send(65537)).rejects.toMatchObject({ status: 413 })
  })

  it("refuses a body by its announced length, without reading it", async () => {
    let isRead = false
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          isRead = true
          controller.enqueue(new Uint8Array(1))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const request = streaming(stream, { "content-length": "65537" })

    await expect(fromWebRequest(request, "/auth")).rejects.toMatchObject({ status: 413 })
    expect(isRead).toBe(false)
  })

  it("stops reading a body without length as soon as it is too large", async () => {
    let given = 0
    let isCancelled = false
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          given += 1
          controller.enqueue(new Uint8Array(10_000))
        },
        cancel() {
          isCancelled = true
        },
      },
      { highWaterMark: 0 },
    )

    await expect(fromWebRequest(streaming(stream, json), "/auth")).rejects.toBeInstanceOf(BodyError)
    expect(given).toBeLessThan(20)
    expect(isCancelled).toBe(true)
  })
})

/** A POST whose body comes piece by piece. */
function streaming(body: ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>>): Request {
  const init: RequestInit & { readonly duplex: "half" } = { method: "POST", headers, body, duplex: "half" }
  return new Request(address, init)
}

describe("normalizeBasePath", () => {
  it.each([
    ["/auth", "/auth"],
    ["auth", "/auth"],
    ["/auth/", "/auth"],
    ["//auth//", "/auth"],
    ["/api/auth", "/api/auth"],
    ["api/auth/", "/api/auth"],
    ["/", ""],
    ["///", ""],
    ["", ""],
  ])("makes of %j %j", (given, expected) => {
    expect(normalizeBasePath(given)).toBe(expected)
    expect(normalizeBasePath(expected)).toBe(expected)
  })
})

describe("baseUrlOf", () => {
  it.each([
    ["/auth", "https://app.example/auth"],
    ["", "https://app.example"],
  ])("puts origin and base path %j together", (basePath, expected) => {
    const request: Pick<AuthRequest, "url" | "basePath"> = { url: new URL(address), basePath }

    expect(baseUrlOf(request as AuthRequest)).toBe(expected)
  })
})

describe("prefersJson", () => {
  it.each([
    "application/json",
    "application/json, text/plain, */*",
    "application/json;q=0.9",
    "application/problem+json",
    "application/vnd.github+json",
    "text/plain, application/json",
    // RFC 9110, section 8.3.1: type and subtype are case-insensitive.
    "Application/JSON",
  ])("is true for %s", (accept) => {
    expect(prefersJson(new Headers({ accept }))).toBe(true)
  })

  it.each([
    "text/html",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/html, application/json",
    "application/json, text/html",
    "*/*",
    "",
    "application/jsonlines",
    "application/json-seq",
    "text/json",
  ])("is false for %j", (accept) => {
    expect(prefersJson(new Headers({ accept }))).toBe(false)
  })

  it("is false when the header is missing", () => {
    expect(prefersJson(new Headers())).toBe(false)
  })
})
