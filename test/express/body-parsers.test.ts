/** Forms arrive whatever has read the body before, or has not. */
import { describe, expect, it } from "@jest/globals"
import cookieParser from "cookie-parser"
import type { RequestHandler } from "express"
import type { AuthMiddleware } from "../../src/express/express-auth.js"
import { passwords, setUp } from "../support/express-setup.js"
import { openSite, type Ask } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

type Parsers = (express: ExpressVersion["express"]) => readonly RequestHandler[]

const parsers: readonly (readonly [description: string, parsers: Parsers])[] = [
  ["no parser", () => []],
  ["express.json()", (express) => [express.json()]],
  ["express.urlencoded(), extended", (express) => [express.urlencoded({ extended: true })]],
  ["express.urlencoded(), not extended", (express) => [express.urlencoded({ extended: false })]],
  ["express.text()", (express) => [express.text()]],
  ["express.text() for every type", (express) => [express.text({ type: "*/*" })]],
  ["express.raw()", (express) => [express.raw()]],
  ["express.raw() for every type", (express) => [express.raw({ type: "*/*" })]],
  ["cookie-parser", () => [cookieParser("another secret")]],
  ["a parser of multipart forms", () => [parseMultipart]],
  ["middleware that waits for something else", () => [waitForSomething]],
  [
    "all of them",
    (express) => [
      cookieParser(),
      express.json(),
      express.urlencoded({ extended: true }),
      express.text(),
      express.raw(),
      parseMultipart,
      waitForSomething,
    ],
  ],
]

describe.each(expressVersions)("body parsers on $version", ({ express }) => {
  describe.each(parsers)("after %s", (_description, create) => {
    it.each(["urlencoded", "JSON", "multipart"] as const)("signs in with a form sent as %s", async (encoding) => {
      expect(await signsIn(express, create(express), [], encoding)).toBe("Ada Lovelace")
    })
  })

  describe.each(parsers)("before %s", (_description, create) => {
    it.each(["urlencoded", "JSON", "multipart"] as const)("signs in with a form sent as %s", async (encoding) => {
      expect(await signsIn(express, [], create(express), encoding)).toBe("Ada Lovelace")
    })
  })

  it("takes nested fields over from a parser that nests them", async () => {
    const received: unknown[] = []
    const app = express()
    app.use(express.urlencoded({ extended: true }))
    app.use("/auth", recordingAuth(received))
    const browser = (await openSite(app)).browser()

    const csrfToken = await browser.csrf()
    await browser.post("/auth/callback/credentials", { csrfToken, "user[name]": "x", "__proto__[admin]": "1" })

    expect(received).toEqual([{ csrfToken, user: { name: "x" } }])
  })

  it("says so when somebody has read the body and kept it", async () => {
    const { auth, logged } = setUp()
    const app = express()
    app.use(discardBody)
    app.use("/auth", auth())
    const site = await openSite(app)

    const reply = await site.browser().post("/auth/signout", { csrfToken: "x" })

    expect(reply).toMatchObject({ status: 400, headers: { "content-type": "application/problem+json" } })
    expect(reply.json).toMatchObject({ title: "Bad request", detail: expect.stringContaining("consumed") })
    expect(logged).toMatchObject([{ type: "UnknownAction" }])
  })

  it("reads a body that somebody left paused", async () => {
    const app = express()
    app.use((req, _res, next) => {
      req.pause()
      setImmediate(next)
    })
    app.use("/auth", setUp().auth())
    const browser = (await openSite(app)).browser()

    await browser.signIn()

    expect((await browser.get("/auth/session")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })
})

type Encoding = "urlencoded" | "JSON" | "multipart"

async function signsIn(
  express: ExpressVersion["express"],
  before: readonly RequestHandler[],
  after: readonly RequestHandler[],
  encoding: Encoding,
): Promise<unknown> {
  const auth = setUp().auth()
  const app = express()
  for (const parser of before) app.use(parser)
  app.use("/auth", auth)
  for (const parser of after) app.use(parser)
  app.get("/me", auth.session, (req, res) => void res.json(req.auth?.user?.name ?? null))
  const browser = (await openSite(app)).browser()

  const fields = { csrfToken: await browser.csrf(), username: "ada" }
  const reply = await browser.ask("/auth/callback/credentials", { method: "POST", ...(await encode(fields, encoding)) })
  expect(reply).toMatchObject({ status: 302 })
  return (await browser.get("/me")).json
}

async function encode(fields: Readonly<Record<string, string>>, encoding: Encoding): Promise<Ask> {
  if (encoding === "JSON") return { headers: { "content-type": "application/json" }, body: JSON.stringify(fields) }
  const form = encoding === "urlencoded" ? new URLSearchParams(fields) : new FormData()
  if (form instanceof FormData) for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const encoded = new Response(form)
  const headers = { "content-type": encoded.headers.get("content-type") ?? "" }
  return { headers, body: new Uint8Array(await encoded.arrayBuffer()) }
}

function recordingAuth(received: unknown[]): AuthMiddleware {
  const authorize = (given: object) => {
    received.push(given)
    return null
  }
  return setUp().auth({ providers: [passwords(authorize)] })
}

/** Does what multer does: reads the stream to its end, and leaves the text fields in an object without a prototype. */
const parseMultipart: RequestHandler = (req, _res, next) => {
  const contentType = req.headers["content-type"] ?? ""
  if (!contentType.startsWith("multipart/form-data")) return next()
  const read = async () => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const form = await new Response(Buffer.concat(chunks), { headers: { "content-type": contentType } }).formData()
    req.body = Object.assign(Object.create(null) as object, Object.fromEntries(form.entries()))
  }
  read().then(() => next(), next)
}

const waitForSomething: RequestHandler = (_req, _res, next) => {
  setImmediate(() => setImmediate(next))
}

const discardBody: RequestHandler = (req, _res, next) => {
  req.resume().once("end", next)
}
