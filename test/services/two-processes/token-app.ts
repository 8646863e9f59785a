/** An application, as it runs on each of several machines, that calls a provider's API for whoever is signed in. */
import express from "express"
import { ExpressAuth } from "latchkey"
import { PostgresAdapter } from "latchkey/adapters/sql"
import pg from "pg"

const { POSTGRES, ISSUER, CLIENT_ID, CLIENT_SECRET } = process.env

const app = express()
const auth = ExpressAuth({
  adapter: PostgresAdapter(new pg.Pool({ connectionString: POSTGRES, max: 20 })),
  secret: "a secret that both processes know",
  trustHost: true,
  providers: [
    {
      id: "local",
      name: "Local",
      type: "oidc",
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { params: { scope: "openid profile email offline_access", prompt: "consent" } },
    },
  ],
})
app.use("/auth", auth)
app.get("/token", async (req, res) => {
  res.json(await auth.getAccessToken(req, "local"))
})

const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") console.log(address.port)
})
