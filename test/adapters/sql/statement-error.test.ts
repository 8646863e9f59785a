import { inspect } from "node:util"
import { describe, expect, it } from "@jest/globals"
import { withoutValues } from "../../../src/adapters/sql/statement-error.js"

describe("an error of a driver", () => {
  it("keeps its message and its codes", () => {
    const thrown = Object.assign(new Error("connect ECONNREFUSED"), {
      code: "ECONNREFUSED",
      syscall: "connect",
      port: 1,
    })
    const error = withoutValues(thrown, [])
    expect(error).toMatchObject({ message: "connect ECONNREFUSED", code: "ECONNREFUSED", syscall: "connect", port: 1 })
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    ["pg", { message: 'invalid input syntax for type uuid: "secret-token"' }],
    ["pg", { detail: 'Key ("sessionToken")=(secret-token) already exists.', where: "secret-token" }],
    ["mysql2", { sql: "insert into sessions values ('secret-token')", sqlMessage: "'secret-token'" }],
    ["mysql2", { message: "Duplicate entry 'secret-token' for key 'PRIMARY'" }],
    ["mysql2", { message: "Duplicate entry 'acme-secret-to' for key 'PRIMARY'" }],
  ])("of %s loses the values that were given: %j", (_driver, { message = "failed", ...fields }) => {
    const thrown = Object.assign(new Error(message), { code: "23505", ...fields })
    const error = withoutValues(thrown, ["secret-token", "acme"])
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("secret-to")
    expect(error).toMatchObject({ code: "23505" })
  })

  it("has a message, also where the driver gave none", () => {
    const thrown = Object.assign(new AggregateError([new Error("::1")], ""), { code: "ECONNREFUSED" })
    expect(withoutValues(thrown, []).message).toBe("the database failed: ECONNREFUSED")
  })

  it("is an error, whatever was thrown", () => {
    expect(withoutValues("secret-token", ["secret-token"]).message).toBe("string was thrown: …")
  })
})
