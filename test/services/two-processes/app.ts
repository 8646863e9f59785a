/** An application as it runs on each of several machines: its sessions are in a store that all of them share. */
import express from "express"
import { ExpressAuth, requireSession } from "latchkey"
import { RedisAdapter } from "latchkey/adapters/redis"
import { PostgresAdapter } from "latchkey/adapters/sql"
import Credentials from "latchkey/providers/credentials"
import pg from "pg"
import { createClient } from "redis"

const { POSTGRES, REDIS, PREFIX } = process.env

const sql = PostgresAdapter(new pg.Pool({ connectionString: POSTGRES }))
const adapter = REDIS ? { ...sql, ...RedisAdapter(await connect(REDIS), { keyPrefix: PREFIX }) } : sql

const app = express()
const auth = ExpressAuth({
  adapter,
  secret: "a secret that both processes know",
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => ({ id: String(name), name: String(name), email: `${String(name)}@example.com` }),
    }),
  ],
})
app.use("/auth", auth)
app.get(
  "/who",
  requireSession((req, res) => res.send(req.auth.user?.name)),
)

const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") console.log(address.port)
})

async function connect(url: string) {
  const client = createClient({ url })
  client.on("error", (error) => console.error(error))
  return client.connect()
}
