/** Creates sessions until it is killed, and writes the token of each when the database has acknowledged it. */
import { writeSync } from "node:fs"
import { SqliteAdapter } from "../../../../src/adapters/sql.js"

const adapter = SqliteAdapter(process.argv[2] ?? "")
const { id: userId } = await adapter.createUser({
  id: crypto.randomUUID(),
  email: "a@example.com",
  emailVerified: null,
})
for (;;) {
  const sessionToken = crypto.randomUUID()
  await adapter.createSession({ sessionToken, userId, expires: new Date(Date.now() + 3_600_000) })
  writeSync(1, `${sessionToken}\n`)
}
