/** Which HTTP methods each action answers. */
import { describe, expect, it } from "@jest/globals"
import { openApp } from "../support/express-apps.js"
import { isSessionCookie, setUp } from "../support/express-setup.js"
import type { Provider } from "../../src/index.js"
import { expressVersions } from "../support/express-versions.js"

/** What `Allow` names for each path. */
const allowed: readonly (readonly [path: string, allow: string])[] = [
  ["/auth/providers", "GET, HEAD"],
  ["/auth/csrf", "GET, HEAD"],
  ["/auth/session", "GET, HEAD, POST"],
  ["/auth/signin", "GET, HEAD, POST"],
  ["/auth/signin/credentials", "GET, HEAD, POST"],
  ["/auth/signout", "GET, HEAD, POST"],
  ["/auth/verify-request", "GET, HEAD"],
  ["/auth/error", "GET, HEAD"],
]

const readable = ["providers", "csrf", "session", "signin", "signout", "verify-request", "error"] as const

describe.each(expressVersions)("HTTP methods on $version", ({ express }) => {
  it.each(readable)("HEAD of %s has the status and headers of GET, and no body", async (action) => {
    const site = await openApp(express, setUp().auth())

    const get = await site.ask(`/auth/${action}`)
    const head = await site.ask(`/auth/${action}`, { method: "HEAD" })

    expect(head).toMatchObject({ status: get.status, text: "" })
    for (const name of ["content-type", "content-length", "cache-control", "vary", "location"]) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
    }
    expect(head.setCookies.map(nameOf)).toEqual(get.setCookies.map(nameOf))
  })

  it.each(allowed)("%s answers other methods with 405 and allows %s", async (path, allow) => {
    const { auth, logged } = setUp()
    const site = await openApp(express, auth())
    const isReadOnly = !allow.includes("POST")

    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", ...(isReadOnly ? ["POST"] : [])]) {
      const reply = await site.ask(path, { method })
      expect([method, reply.status, reply.headers.allow, reply.text]).toEqual([method, 405, allow, ""])
      expect(reply.setCookies).toEqual([])
    }
    expect(logged).toEqual([])
  })

  it("HEAD of a callback is not answered, as following one changes something", async () => {
    const site = await openApp(express, setUp().auth({ providers: [plainProvider] }))

    const reply = await site.ask("/auth/callback/plain?code=x&state=y", { method: "HEAD" })

    expect(reply).toMatchObject({ status: 405, headers: { allow: "GET, POST" }, setCookies: [] })
  })

  it("GET of a credentials callback is not answered", async () => {
    const site = await openApp(express, setUp().auth())

    const reply = await site.ask("/auth/callback/credentials?username=ada")

    expect(reply).toMatchObject({ status: 405, headers: { allow: "POST" } })
    expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
  })

  it("a link to a provider's sign-in leads to the page that has its form", async () => {
    const site = await openApp(express, setUp().auth({ providers: [plainProvider] }))

    const { status, location, setCookies } = await site.ask("/auth/signin/plain?callbackUrl=/x")

    expect(status).toBe(302)
    expect(location).toBe(`${site.origin}/auth/signin?callbackUrl=${encodeURIComponent(`${site.origin}/x`)}`)
    expect(setCookies.map(nameOf).sort()).toEqual(["authjs.callback-url", "authjs.csrf-token"])
  })

  it("no GET signs anybody out, whatever header claims that it is a POST", async () => {
    const browser = (await openApp(express, setUp().auth())).browser()
    await browser.signIn()
    const csrfToken = await browser.csrf()

    for (const headers of [
      {},
      { "x-http-method-override": "POST" },
      { "x-http-method": "POST" },
      { purpose: "prefetch" },
    ]) {
      for (const path of [
        `/auth/signout?csrfToken=${csrfToken}`,
        `/auth/signout?_method=POST&csrfToken=${csrfToken}`,
      ]) {
        expect((await browser.get(path, headers)).setCookies.filter(isSessionCookie)).toEqual([])
      }
    }
    expect((await browser.get("/auth/session")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("methods are told apart before cookies, tokens and bodies are looked at", async () => {
    const site = await openApp(express, setUp().auth())

    const reply = await site.ask("/auth/session", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: "{",
    })

    expect(reply.status).toBe(405)
  })
})

const plainProvider: Provider = {
  id: "plain",
  name: "Plain",
  type: "oauth",
  clientId: "id",
  clientSecret: "secret",
  authorization: "https://id.example/authorize",
  token: "https://id.example/token",
  userinfo: "https://id.example/user",
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf("="))
}
