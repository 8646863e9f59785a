import { randomBytes } from "node:crypto"
import { fileURLToPath } from "node:url"
import { SqliteAdapter } from "latchkey/adapters/sql"
import { startOpenIDProvider } from "latchkey/testing"
import { createDemo } from "./app.js"
import { people } from "./people.js"

const port = Number(process.env.PORT || 3000)
const accounts = people.map(({ username, name, email, picture, role }) => ({
  sub: username,
  name,
  email,
  picture,
  role,
}))
const provider = await startOpenIDProvider({ login: "page", accounts })
const secret = process.env.AUTH_SECRET || randomBytes(32).toString("base64url")
const adapter = SqliteAdapter(process.env.DEMO_DATABASE || fileURLToPath(new URL("demo.db", import.meta.url)))

createDemo({ ...provider, secret, adapter, env: process.env }).listen(port, "localhost", (error) => {
  if (!error) return console.log(`The Latchkey demo runs at http://localhost:${port}`)
  console.error(`The demo cannot listen on port ${port} (${error.message}). Another one: PORT=3001 npm start`)
  process.exitCode = 1
  return provider.close()
})
