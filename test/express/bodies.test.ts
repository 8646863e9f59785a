/** Bodies that are malformed, too large, or not what they claim to be. */
import { describe, expect, it } from "@jest/globals"
import { Agent, request, type OutgoingHttpHeaders } from "node:http"
import { openApp } from "../support/express-apps.js"
import { findPerson, isSessionCookie, passwords, setUp } from "../support/express-setup.js"
import type { Site } from "../support/express-site.js"
import { expressVersions } from "../support/express-versions.js"

const limit = 64 * 1024
const json = { "content-type": "application/json" } as const
const form = { "content-type": "application/x-www-form-urlencoded" } as const

/** Bodies that nobody can make sense of. */
const malformed: readonly (readonly [description: string, headers: OutgoingHttpHeaders, body: string | Uint8Array])[] =
  [
    ["JSON that ends early", json, "{"],
    ["JSON with a trailing comma", json, '{"a":1,}'],
    ["a JSON list", json, "[]"],
    ["a JSON string", json, '"csrfToken"'],
    ["a JSON null", json, "null"],
    ["JSON nested too deeply", json, '{"a":'.repeat(100) + "1" + "}".repeat(100)],
    ["JSON that is not UTF-8", json, Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ["JSON in UTF-16", { "content-type": "application/json; charset=utf-16" }, Buffer.from('{"a":1}', "utf16le")],
    ["compressed JSON", { ...json, "content-encoding": "gzip" }, Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)],
    ["a form that is not UTF-8", form, Uint8Array.of(0x61, 0x3d, 0xff)],
    ["a form with too many fields", form, "a=1&".repeat(5000)],
    ["a multipart form without a boundary", { "content-type": "multipart/form-data" }, "--x\r\n"],
    ["a multipart form that ends early", { "content-type": "multipart/form-data; boundary=x" }, "--x\r\ncontent-disp"],
  ]

/** Media types that no form and no JSON client of ours sends. */
const foreignTypes = [
  "text/plain",
  "text/plain;application/json",
  "text/plain; charset=application/json",
  "application/jsonx",
  "application/json-patch+json",
  "application/ld+json",
  "text/json",
  "application/octet-stream",
  "application/x-www-form-urlencoded2",
  "application/x-www-form-urlencoded;charset=utf-16",
  "*/*",
] as const

describe.each(expressVersions)("request bodies on $version", ({ express }) => {
  it.each(malformed)("are answered with 400 when they are %s", async (_description, headers, body) => {
    const { auth, logged } = setUp()
    const called: unknown[] = []
    const authorize: typeof findPerson = (credentials) => {
      called.push(credentials)
      return null
    }
    const site = await openApp(express, auth({ providers: [passwords(authorize)] }))

    for (const path of ["/auth/callback/credentials", "/auth/signout", "/auth/session"]) {
      const reply = await site.ask(path, { method: "POST", headers, body })
      expect([path, reply.status]).toEqual([path, 400])
      expect(reply).toMatchObject({ headers: { "content-type": "application/problem+json" }, setCookies: [] })
    }
    expect(called).toEqual([])
    expect(logged).toHaveLength(3)
  })

  it.each(foreignTypes)("are not read when they are of type %s", async (type) => {
    const browser = (await openApp(express, setUp().auth())).browser()
    await browser.signIn()
    const csrfToken = await browser.csrf()

    const reply = await browser.ask("/auth/signout", {
      method: "POST",
      headers: { "content-type": type },
      body: JSON.stringify({ csrfToken }),
    })

    expect(reply).toMatchObject({ status: 302, location: expect.stringMatching(/\/auth\/signin\?error=MissingCSRF$/) })
    expect((await browser.get("/auth/session")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("are not read without a type", async () => {
    const browser = (await openApp(express, setUp().auth())).browser()
    await browser.signIn()

    const body = JSON.stringify({ csrfToken: await browser.csrf() })

    expect(await browser.ask("/auth/signout", { method: "POST", body })).toMatchObject({
      location: expect.stringContaining("error=MissingCSRF"),
    })
  })

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/x-www-form-urlencoded;charset=UTF-8",
  ])("are read when they are of type %s", async (type) => {
    const browser = (await openApp(express, setUp().auth())).browser()
    const fields = { csrfToken: await browser.csrf(), username: "ada" }
    const body = /json/i.test(type) ? JSON.stringify(fields) : new URLSearchParams(fields).toString()

    await browser.ask("/auth/callback/credentials", { method: "POST", headers: { "content-type": type }, body })

    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("are read up to 64 KB", async () => {
    const site = await openApp(express, setUp().auth())
    const ofLength = (length: number) =>
      ({ method: "POST", headers: form, body: `a=${"x".repeat(length - 2)}` }) as const

    expect((await site.ask("/auth/signout", ofLength(limit))).status).toBe(302)
    expect((await site.ask("/auth/signout", ofLength(limit + 1))).status).toBe(413)
  })

  it.each([limit + 1, 200 * 1024, 1024 * 1024])("are answered with 413 when they are %d bytes long", async (length) => {
    const { auth, logged } = setUp()
    const site = await openApp(express, auth())

    for (const headers of [form, json, { ...form, "transfer-encoding": "chunked" }]) {
      const reply = await site.ask("/auth/signout", { method: "POST", headers, body: "x".repeat(length) })
      expect(reply).toMatchObject({
        status: 413,
        headers: { "content-type": "application/problem+json" },
        json: { title: "Payload too large", status: 413 },
        setCookies: [],
      })
    }
    expect(logged).toHaveLength(3)
  })

  it("that never end are answered as soon as they are too large", async () => {
    const site = await openApp(express, setUp().auth())

    expect(await postEndlessly(site, "/auth/signout")).toBe(413)
  })

  it("that were refused leave the server ready for the next request", async () => {
    const site = await openApp(express, setUp().auth())
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      expect(await postThrough(agent, site, "x".repeat(limit + 1))).toBe(413)
      expect(await postThrough(agent, site, "a=1")).toBe(302)
      expect(await postThrough(agent, site, "x".repeat(300 * 1024))).toBe(413)
      expect(await postThrough(agent, site, "a=1")).toBe(302)
    } finally {
      agent.destroy()
    }
  })

  it("may be missing", async () => {
    const site = await openApp(express, setUp().auth())

    for (const headers of [{}, form, json, { ...json, "content-length": "0" }]) {
      const reply = await site.ask("/auth/signout", { method: "POST", headers })
      expect(reply).toMatchObject({ status: 302, location: `${site.origin}/auth/signin?error=MissingCSRF` })
    }
  })

  it("cannot reach the prototype of an object", async () => {
    const received: unknown[] = []
    const authorize: typeof findPerson = (credentials) => {
      received.push(credentials)
      return null
    }
    const browser = (await openApp(express, setUp().auth({ providers: [passwords(authorize)] }))).browser()
    const csrfToken = await browser.csrf()

    await browser.ask("/auth/callback/credentials", {
      method: "POST",
      headers: json,
      body: `{"csrfToken":"${csrfToken}","__proto__":{"admin":1},"constructor":{"prototype":{"admin":1}},"a":{"__proto__":{"admin":1}}}`,
    })
    const entries: [string, string][] = [
      ["csrfToken", csrfToken],
      ["__proto__[admin]", "1"],
      ["constructor[prototype][admin]", "1"],
      ["a[__proto__][admin]", "1"],
      ["a[b]", "2"],
    ]
    await browser.post("/auth/callback/credentials", new URLSearchParams(entries))

    expect(received).toEqual([
      { csrfToken, a: {} },
      { csrfToken, a: { b: "2" } },
    ])
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  it("cannot bring lists or objects into fields that the provider declares", async () => {
    const called: unknown[] = []
    const authorize: typeof findPerson = (credentials) => {
      called.push(credentials)
      return findPerson({ username: "ada" })
    }
    const browser = (await openApp(express, setUp().auth({ providers: [passwords(authorize)] }))).browser()
    const csrfToken = await browser.csrf()

    for (const username of [["ada"], { $ne: "" }, 1, true, null]) {
      const reply = await browser.postJson("/auth/callback/credentials", { csrfToken, username })
      expect(reply.location).toContain("error=CredentialsSignin")
      expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
    }
    await browser.post("/auth/callback/credentials", { csrfToken, "username[$ne]": "" })
    expect(called).toEqual([])
  })
})

/** Sends chunks without end, and gives the status of the answer. */
function postEndlessly({ port }: Site, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const chunk = "x".repeat(16 * 1024)
    const statuses: number[] = []
    const outgoing = request(
      { host: "127.0.0.1", port, path, method: "POST", headers: form, agent: false },
      (reply) => {
        statuses.push(reply.statusCode ?? 0)
        reply.resume().once("close", () => {
          outgoing.destroy()
          resolve(statuses[0] ?? 0)
        })
      },
    )
    const sendMore = () => {
      if (!outgoing.destroyed) outgoing.write(chunk, sendMore)
    }
    // The server closes the connection once it has answered.
    outgoing.on("error", (error) => {
      if (statuses.length === 0) reject(error)
    })
    sendMore()
  })
}

function postThrough(agent: Agent, { port }: Site, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/auth/signout", method: "POST", headers: form, agent } as const
    const outgoing = request(options, (reply) => {
      reply.resume().once("end", () => resolve(reply.statusCode ?? 0))
    })
    outgoing.once("error", reject)
    outgoing.end(body)
  })
}
