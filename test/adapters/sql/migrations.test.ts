/** Tables that change while the application runs. */
import { describe, expect, it } from "@jest/globals"
import Libsql from "libsql"
import type { Adapter } from "../../../src/adapters/contract.js"
import { SqliteAdapter } from "../../../src/adapters/sql.js"

async function openWithNick() {
  const database = new Libsql(":memory:")
  const adapter = SqliteAdapter(database)
  database.exec("alter table users add column nick text")
  await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null, nick: "ada" } as never)
  await adapter.createSession({ sessionToken: "token", userId: "1", expires: new Date(Date.now() + 3_600_000) })
  return { adapter, database }
}

describe("a column of the application's own that is dropped", () => {
  it.each<[string, (adapter: Required<Adapter>) => unknown]>([
    ["getUserByEmail", (adapter) => adapter.getUserByEmail("ada@example.com")],
    ["getSessionAndUser", (adapter) => adapter.getSessionAndUser("token")],
    ["updateUser", (adapter) => adapter.updateUser({ id: "1", name: "Ada" })],
  ])("fails %s once, and not for good", async (_, call) => {
    const { adapter, database } = await openWithNick()
    expect(JSON.stringify(await call(adapter))).toContain('"nick":"ada"')
    database.exec("alter table users drop column nick")

    await expect((async () => call(adapter))()).rejects.toThrow("nick")

    const found = JSON.stringify(await call(adapter))
    expect(found).toContain('"ada@example.com"')
    expect(found).not.toContain("nick")
  })
})
