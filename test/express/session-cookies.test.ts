/** Session cookies that are forged, expired, foreign, split or too large. */
import { describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../src/index.js"
import { openApp } from "../support/express-apps.js"
import type { Browser } from "../support/express-browser.js"
import { day, isSessionCookie, setUp } from "../support/express-setup.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

const name = "authjs.session-token"
const expired = `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`

/** Session cookies that were never ours, or are no longer. */
const worthless: readonly (readonly [description: string, spoil: (token: string) => string])[] = [
  ["text", () => "hello"],
  ["a percent sign that encodes nothing", () => "%E0%A4%A"],
  ["dots", () => "....".repeat(25)],
  ["an unsigned token", () => `${encode({ alg: "none" })}.${encode({ sub: "1", exp: 9e9 })}.`],
  ["a token that is only signed", () => `${encode({ alg: "HS256" })}.${encode({ sub: "1", exp: 9e9 })}.${encode("x")}`],
  ["a token whose last character was changed", (token) => spoilt(token, token.length - 2)],
  ["a token whose middle was changed", (token) => spoilt(token, Math.floor(token.length / 2))],
  ["a token whose header was changed", (token) => spoilt(token, 3)],
  ["a token that lost its end", (token) => token.slice(0, -20)],
  ["a token with one part more", (token) => `${token}.x`],
  ["3 KB of nothing", () => "x".repeat(3000)],
]

describe.each(expressVersions)("session cookies on $version", ({ express }) => {
  it.each(worthless)("that hold %s sign nobody in, are removed, and are logged once", async (_description, spoil) => {
    const { auth, logged } = setUp()
    const site = await openApp(express, auth())
    const browser = site.browser()
    await browser.signIn()
    const cookie = `${name}=${spoil(browser.cookies.get(name) ?? "")}`

    for (const path of ["/me", "/auth/session"]) {
      const reply = await site.ask(path, { headers: { cookie } })
      expect(reply).toMatchObject({ status: 200, text: "null" })
      expect(reply.setCookies.filter(isSessionCookie)).toEqual([expired])
    }
    expect(logged).toMatchObject([{ type: "JWTSessionError" }, { type: "JWTSessionError" }])
    expect(logged.map(String).join()).not.toContain(cookie.slice(name.length + 1))
  })

  it("that are empty count as none", async () => {
    const { auth, logged } = setUp()
    const site = await openApp(express, auth())

    for (const path of ["/me", "/auth/session"]) {
      expect(await site.ask(path, { headers: { cookie: `${name}=` } })).toMatchObject({ status: 200, text: "null" })
    }
    expect(logged).toEqual([])
  })

  it("of another secret sign nobody in", async () => {
    const { auth, logged } = setUp()
    const site = await openApp(express, auth())
    const elsewhere = (await openApp(express, setUp().auth({ secret: "another" }))).browser()
    await elsewhere.signIn()

    expect((await site.ask("/me", { headers: cookieOf(elsewhere) })).json).toBeNull()
    expect(logged).toMatchObject([{ type: "JWTSessionError" }])
  })

  it("under another name sign nobody in, even with the same secret", async () => {
    const site = await openApp(express, setUp().auth())
    const elsewhere = (await openApp(express, setUp({ AUTH_URL: "https://app.example/auth" }).auth())).browser()
    await elsewhere.signIn()
    const token = elsewhere.cookies.get(`__Secure-${name}`) ?? ""

    expect((await site.ask("/me", { headers: { cookie: `${name}=${token}` } })).json).toBeNull()
  })

  it("stay valid while secrets are rotated, and are then written with the newest", async () => {
    const old = (await openApp(express, setUp().auth({ secret: "old" }))).browser()
    await old.signIn()
    const rotating = await openApp(express, setUp().auth({ secret: ["new", "old"] }))
    const rotated = await openApp(express, setUp().auth({ secret: ["new"] }))
    const browser = rotating.browser()
    for (const [key, value] of old.cookies) browser.cookies.set(key, value)

    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
    await browser.get("/auth/session")

    expect((await rotated.ask("/me", { headers: cookieOf(browser) })).json).toMatchObject({
      user: { name: "Ada Lovelace" },
    })
    expect((await rotated.ask("/me", { headers: cookieOf(old) })).json).toBeNull()
  })

  it("end after maxAge, and are removed then", async () => {
    const { auth, wait } = setUp()
    const browser = (await openApp(express, auth({ session: { maxAge: 600, updateAge: 300 } }))).browser()
    await browser.signIn()

    wait(299)
    expect((await browser.get("/me")).setCookies).toEqual([])
    wait(600 + 60)
    const reply = await browser.get("/me")

    expect(reply).toMatchObject({ text: "null", setCookies: [expired] })
  })

  it("slide with every visit to the session action, and once per updateAge elsewhere", async () => {
    const { auth, wait } = setUp()
    const browser = (await openApp(express, auth())).browser()
    await browser.signIn()

    wait(60)
    const touched = await browser.get("/auth/session")
    const visited = await browser.get("/me")
    wait(day)
    const prolonged = await browser.get("/me")

    expect(touched.setCookies.filter(isSessionCookie)).toHaveLength(1)
    expect(touched.json).toMatchObject({ expires: "2026-05-31T12:01:00.000Z" })
    expect(visited).toMatchObject({ setCookies: [], json: { expires: "2026-05-31T12:01:00.000Z" } })
    expect(prolonged.setCookies.filter(isSessionCookie)).toHaveLength(1)
    expect(prolonged.json).toMatchObject({ expires: "2026-06-01T12:01:00.000Z" })
  })

  it("of others whose names begin alike are neither read nor removed", async () => {
    const browser = (await openApp(express, setUp().auth())).browser()
    await browser.signIn()
    const others = ["-other", ".01", ".-1", ".1e1", ".x", "2"].map((suffix) => name + suffix)
    for (const other of others) browser.cookies.set(other, "zzz")

    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
    const { setCookies } = await browser.signOut()

    expect(setCookies.filter((line) => line.includes("Max-Age=0"))).toEqual([expired])
  })

  it("that are too long for one are split, read together, and cleaned up when they shrink", async () => {
    const size = { bytes: 9000 }
    const { browser } = await openSized(express, size)
    const chunks = () => [...browser.cookies.keys()].filter((key) => key.startsWith(name)).sort()

    await browser.signIn()
    expect(chunks()).toEqual([`${name}.0`, `${name}.1`, `${name}.2`, `${name}.3`])
    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })

    size.bytes = 4000
    await browser.get("/me")
    expect(chunks()).toEqual([`${name}.0`, `${name}.1`])

    size.bytes = 10
    await browser.get("/me")
    expect(chunks()).toEqual([name])
    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("of which a part is missing sign nobody in, and the next sign-in cleans up", async () => {
    const size = { bytes: 9000 }
    const { browser } = await openSized(express, size)
    await browser.signIn()
    browser.cookies.delete(`${name}.1`)

    expect((await browser.get("/me")).json).toBeNull()
    size.bytes = 10
    await browser.signIn()

    expect([...browser.cookies.keys()].filter((key) => key.startsWith(name))).toEqual([name])
    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("that would not fit into a browser are an error, and none is set", async () => {
    const { browser, logged } = await openSized(express, { bytes: 40_000 })

    const reply = await browser.signIn()

    expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
    expect(reply.location).toMatch(/\/auth\/error\?error=Configuration$/)
    expect(logged).toHaveLength(1)
  })

  it("in great number do not multiply in the answer", async () => {
    const site = await openApp(express, setUp().auth())
    const cookie = Array.from({ length: 500 }, (_, index) => `${name}.${index}=a`).join("; ")

    const { status, setCookies } = await site.ask("/me", { headers: { cookie } })

    expect(status).toBe(200)
    expect(setCookies.length).toBeLessThanOrEqual(12)
  })

  it("given twice count by the first", async () => {
    const site = await openApp(express, setUp().auth())
    const browser = site.browser()
    await browser.signIn()
    const token = browser.cookies.get(name) ?? ""

    const good = await site.ask("/me", { headers: { cookie: `${name}=${token}; ${name}=bad` } })
    const bad = await site.ask("/me", { headers: { cookie: `${name}=bad; ${name}=${token}` } })

    expect(good.json).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(bad.json).toBeNull()
  })

  it("end with the sign-out, with the attributes they were set with", async () => {
    const browser = (await openApp(express, setUp({ AUTH_URL: "https://app.example/auth" }).auth())).browser()
    const signedIn = await browser.signIn()
    const signedOut = await browser.signOut()

    const [set = ""] = signedIn.setCookies.filter(isSessionCookie)
    const [removed = ""] = signedOut.setCookies.filter(isSessionCookie)
    expect(attributesOf(removed)).toEqual(attributesOf(set))
    expect(attributesOf(set)).toEqual(["HttpOnly", "Path=/", "SameSite=Lax", "Secure"])
  })

  it("carry what config.cookies says, in routes as in actions", async () => {
    const cookies = { sessionToken: { name: "sid", options: { domain: "app.example", sameSite: "strict" } } } as const
    const { auth, wait } = setUp()
    const browser = (await openApp(express, auth({ cookies }))).browser()
    await browser.signIn()

    wait(2 * day)
    const [line] = (await browser.get("/me")).setCookies

    expect(line).toMatch(/^sid=[^;]+; Domain=app\.example; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/)
  })
})

async function openSized(express: ExpressVersion["express"], size: { bytes: number }) {
  const { auth, logged } = setUp()
  const callbacks: AuthConfig["callbacks"] = {
    jwt: ({ token }) => ({ ...token, ballast: "x".repeat(size.bytes) }),
  }
  return { browser: (await openApp(express, auth({ callbacks }))).browser(), logged }
}

function cookieOf({ cookies }: Browser) {
  return { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join("; ") }
}

function attributesOf(line: string): readonly string[] {
  return line
    .split("; ")
    .slice(1)
    .filter((attribute) => !/^(?:Expires|Max-Age)=/.test(attribute))
    .sort()
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}

function spoilt(token: string, index: number): string {
  return token.slice(0, index) + (token[index] === "A" ? "B" : "A") + token.slice(index + 1)
}
