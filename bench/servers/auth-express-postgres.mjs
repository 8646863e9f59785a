// Argument: number of different sessions the requests come with. They are put into the tables that Latchkey uses as well.
import { ExpressAuth, getSession } from "@auth/express"
import PostgresAdapter from "@auth/pg-adapter"
import express from "express"
import { createSchema } from "../lib/places.mjs"
import { tablesIn } from "../lib/tables.mjs"
import { serve } from "./serve.mjs"
import { user } from "../lib/user.mjs"
import { makeProviders } from "./providers.mjs"

const [sessions = "1000"] = process.argv.slice(2)
const thirtyDays = 30 * 24 * 60 * 60 * 1000
const pool = await createSchema()
await pool.query(tablesIn("postgres"))
const config = {
  secret: "a secret of the benchmark, 32+ characters",
  trustHost: true,
  providers: makeProviders(1),
  adapter: PostgresAdapter(pool),
}

const app = express()
app.use("/auth", ExpressAuth(config))
app.get("/guarded", requireUser, (req, res) => res.json({ name: res.locals.session.user.name }))

serve(app, async () => {
  const cookies = []
  for (let index = 0; index < Number(sessions); index++) cookies.push(await createSession(index))
  return cookies
})

async function createSession(index) {
  const [userId, token] = [crypto.randomUUID(), crypto.randomUUID()]
  const { name, email } = user
  await pool.query("insert into users (id, name, email) values ($1, $2, $3)", [userId, name, `${index}.${email}`])
  const expires = new Date(Date.now() + thirtyDays)
  const columns = 'sessions ("sessionToken", "userId", expires)'
  await pool.query(`insert into ${columns} values ($1, $2, $3)`, [token, userId, expires])
  return `authjs.session-token=${token}`
}

/** The guard of the package's own documentation, with 401 in place of a redirect. */
async function requireUser(req, res, next) {
  res.locals.session ??= await getSession(req, config)
  if (res.locals.session?.user) next()
  else res.sendStatus(401)
}
