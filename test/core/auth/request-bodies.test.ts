import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { Browser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { byName, openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

async function posted(contentType: string | undefined, body: (csrfToken: string) => BodyInit) {
  const authorize = jest.fn<Parameters<typeof byName>[0] & object>(() => null)
  const { browser, log } = openPeople({ providers: [byName(authorize)] })
  const token = await browser.csrfToken()
  const headers: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType }
  const response = await browser.send("POST", "callback/credentials", { headers, body: body(token) })
  return { response, log, seen: authorize.mock.calls.map(([credentials]) => credentials), token }
}

const form = (csrfToken: string) => new URLSearchParams({ csrfToken, name: "ann" }).toString()
const json = (csrfToken: string) => JSON.stringify({ csrfToken, name: "ann" })
const multipart = (csrfToken: string) =>
  `--x\r\ncontent-disposition: form-data; name="csrfToken"\r\n\r\n${csrfToken}\r\n` +
  `--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nann\r\n--x--\r\n`

describe("a body", () => {
  it.each([
    ["application/x-www-form-urlencoded", form],
    ["application/x-www-form-urlencoded;charset=UTF-8", form],
    ["Application/X-WWW-Form-URLencoded", form],
    ["application/json", json],
    ["application/json; charset=utf-8", json],
    ["multipart/form-data; boundary=x", multipart],
  ])("is read as %s", async (contentType, body) => {
    const { seen, token } = await posted(contentType, body)

    expect(seen).toEqual([{ csrfToken: token, name: "ann" }])
  })

  it.each([
    ["text/plain", json],
    ["text/plain;application/json", json],
    ["application/jsonx", json],
    ["application/x-www-form-urlencoded;charset=utf-16", json],
    [undefined, (token: string) => new Blob([json(token)])],
  ])("counts as none as %s, so that the CSRF token is missing", async (contentType, body) => {
    const { response, seen } = await posted(contentType, body)

    expect(seen).toEqual([])
    expect(response.headers.get("location")).toBe("https://app.example/auth/signin?error=MissingCSRF")
  })

  it.each([
    ["JSON that does not end", "application/json", "{"],
    ["a list", "application/json", "[]"],
    ["text", "application/json", '"text"'],
    ["null", "application/json", "null"],
    ["no UTF-8", "application/x-www-form-urlencoded", new Uint8Array([0x61, 0x3d, 0xff])],
    ["multipart without a boundary", "multipart/form-data", "no boundary"],
    ["multipart without a part", "multipart/form-data; boundary=x", "no part"],
    ["a list a hundred deep", "application/json", `${"[".repeat(100)}${"]".repeat(100)}`],
    ["an object a hundred deep", "application/json", `${'{"a":'.repeat(100)}1${"}".repeat(100)}`],
    ["a form of 5 000 fields", "application/x-www-form-urlencoded", "a=1&".repeat(5000)],
  ])("gets 400 when it is %s", async (_, contentType, body) => {
    const { response, log, seen } = await posted(contentType, () => body)

    expect({ status: response.status, text: await response.text() }).toEqual({ status: 400, text: '"Bad request."' })
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.getSetCookie()).toEqual([])
    expect(log.types()).toEqual(["UnknownAction"])
    expect(seen).toEqual([])
  })

  it.each([
    ["application/json", () => JSON.stringify({ name: "a".repeat(70_000) })],
    ["application/x-www-form-urlencoded", () => `name=${"a".repeat(70_000)}`],
    ["text/plain", () => "a".repeat(70_000)],
  ])("gets 413 when it is larger than 64 KB: %s", async (contentType, body) => {
    const { response, log, seen } = await posted(contentType, body)

    expect(response.status).toBe(413)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(log.types()).toEqual(["UnknownAction"])
    expect(seen).toEqual([])
  })

  it("gets 413 as soon as it has grown too large, whatever it said of its length", async () => {
    const { browser } = openPeople()
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(16 * 1024))
      },
    })
    const request = new Request("https://app.example/auth/signout", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: endless,
      duplex: "half",
    } as RequestInit)

    expect((await browser.answer(request)).status).toBe(413)
    expect(sent).toBeLessThan(20)
  })

  it("that somebody read before gets 400", async () => {
    const { browser } = openPeople()
    const request = new Request("https://app.example/auth/signout", {
      method: "POST",
      body: new URLSearchParams("a=1"),
    })
    await request.text()

    expect((await browser.answer(request)).status).toBe(400)
  })

  it("of a GET is not looked at", async () => {
    const { browser } = openPeople()

    expect((await browser.get("session", { "content-type": "application/json" })).status).toBe(200)
  })
})

describe("A-110: names that reach a prototype", () => {
  it.each([
    [
      "JSON",
      (browser: Browser, csrfToken: string) =>
        browser.send("POST", "callback/credentials", {
          headers: { "content-type": "application/json" },
          body: `{"csrfToken":"${csrfToken}","name":"ann","__proto__":{"p":1},"constructor":{"prototype":{"p":1}},"a":{"__proto__":{"p":1}}}`,
        }),
    ],
    [
      "a form",
      (browser: Browser, csrfToken: string) =>
        browser.post("callback/credentials", {
          csrfToken,
          name: "ann",
          "__proto__[p]": "1",
          "constructor[prototype][p]": "1",
          "a[__proto__][p]": "1",
          "constructor.prototype.p": "1",
        }),
    ],
  ])("do not get through %s", async (_, send) => {
    const authorize = jest.fn<Parameters<typeof byName>[0] & object>(() => null)
    const { browser } = openPeople({ providers: [byName(authorize)] })

    await send(browser, await browser.csrfToken())

    const [credentials = {}] = authorize.mock.calls[0] ?? []
    expect(Object.keys(credentials)).toEqual(expect.arrayContaining(["csrfToken", "name"]))
    expect(Object.keys(credentials)).not.toEqual(expect.arrayContaining(["__proto__"]))
    expect(Object.keys(credentials)).not.toEqual(expect.arrayContaining(["constructor"]))
    expect(({} as Record<string, unknown>)["p"]).toBeUndefined()
    expect((credentials["a"] as Record<string, unknown> | undefined)?.["p"]).toBeUndefined()
  })
})
