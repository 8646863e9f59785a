/** Opens a file that others open at once, writes to it, and writes how many of the tokens t0 to t49 it could use. */
import { SqliteAdapter } from "../../../../src/adapters/sql.js"

const adapter = SqliteAdapter(process.argv[2] ?? "")
const { id: userId } = await adapter.createUser({
  id: crypto.randomUUID(),
  email: `${crypto.randomUUID()}@example.com`,
  emailVerified: null,
})
const used: string[] = []
for (let index = 0; index < 50; index += 1) {
  await adapter.createSession({ sessionToken: crypto.randomUUID(), userId, expires: new Date(Date.now() + 3_600_000) })
  const found = await adapter.useVerificationToken({ identifier: "a@example.com", token: `t${index}` })
  if (found) used.push(found.token)
}
adapter.close()
console.log(used.length)
