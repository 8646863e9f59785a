// Arguments: where the sessions are (a key of `adapters`), number of different sessions the requests come with.
import express from "express"
import { ExpressAuth, requireSession } from "../../dist/index.js"
import { serve } from "./serve.mjs"
import { user } from "../lib/user.mjs"
import { adapters } from "./latchkey-adapters.mjs"
import { makeProviders } from "./providers.mjs"

const [store = "memory", sessions = "1000"] = process.argv.slice(2)
const adapter = await adapters[store]()
const secret = "a secret of the benchmark, 32+ characters"
const thirtyDays = 30 * 24 * 60 * 60 * 1000

const app = express()
app.use("/auth", ExpressAuth({ secret, trustHost: true, providers: makeProviders(1), adapter }))
app.get("/guarded", requireSession(), (req, res) => res.json({ name: req.auth.user.name }))

serve(app, async () => {
  const cookies = []
  for (let index = 0; index < Number(sessions); index++) cookies.push(await createSession(index))
  return cookies
})

/** As a sign-in leaves it: with its whole time ahead, and so not to be prolonged before a day has passed. */
async function createSession(index) {
  const { id } = await adapter.createUser({
    id: crypto.randomUUID(),
    name: user.name,
    email: `${index}.${user.email}`,
    emailVerified: null,
  })
  const session = { sessionToken: crypto.randomUUID(), userId: id, expires: new Date(Date.now() + thirtyDays) }
  await adapter.createSession(session)
  return `authjs.session-token=${session.sessionToken}`
}
