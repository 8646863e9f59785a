// Arguments: "sqlite" or "postgres", number of different sessions the requests come with.
import { join } from "node:path"
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { fromNodeHeaders, toNodeHandler } from "better-auth/node"
import express from "express"
import { Kysely, SqliteDialect } from "kysely"
import { createFolder } from "../lib/folder.mjs"
import { openSqlite } from "../lib/sqlite.mjs"
import { cookiesOf, serve } from "./serve.mjs"
import { user } from "../lib/user.mjs"

const [store = "sqlite", sessions = "1000"] = process.argv.slice(2)
const password = "a password of the benchmark"

const options = {
  baseURL: "http://127.0.0.1",
  secret: "a secret of the benchmark, 32+ characters",
  database: store === "sqlite" ? await openFile() : await openSchema(),
  // Only signing up, which is not measured, would take the time of a real hash.
  emailAndPassword: { enabled: true, password: { hash: async (text) => text, verify: async () => true } },
  telemetry: { enabled: false },
}
const { runMigrations } = await getMigrations(options)
await runMigrations()
const auth = betterAuth(options)

const app = express()
app.all("/api/auth/{*any}", toNodeHandler(auth))
app.get("/guarded", requireUser, (req, res) => res.json({ name: res.locals.session.user.name }))

serve(app, async () => {
  const cookies = []
  for (let index = 0; index < Number(sessions); index++) cookies.push(await signUp(index))
  return cookies
})

async function signUp(index) {
  const body = { name: user.name, email: `${index}.${user.email}`, password }
  return cookiesOf(await auth.api.signUpEmail({ body, asResponse: true }))
}

/** The same driver, with the same settings, as under Latchkey. It takes `node:sqlite` as it is, and `libsql` through Kysely. */
async function openFile() {
  const database = openSqlite(join(await createFolder(), "bench.db"))
  const isLibsql = "pragma" in database
  return isLibsql ? { db: new Kysely({ dialect: new SqliteDialect({ database }) }), type: "sqlite" } : database
}

async function openSchema() {
  const { createSchema } = await import("../lib/places.mjs")
  return createSchema()
}

async function requireUser(req, res, next) {
  res.locals.session = await auth.api.getSession({ headers: fromNodeHeaders(req.headers) })
  if (res.locals.session?.user) next()
  else res.sendStatus(401)
}
