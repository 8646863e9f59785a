import { describe, expect, it } from "@jest/globals"
import { redactSecrets } from "../../src/cli/redact.js"

describe("what the terminal shows", () => {
  it.each([
    ["as it is written", "postgres://someone:hunter2@host/app", "no host hunter2"],
    ["as it is meant", "postgres://someone:hunter%32@host/app", "no host hunter2"],
    ["with stray characters", "postgres://someone:hunter2@x/y@host/app", "no host hunter2@x/y"],
    ["that is no valid escape", "postgres://someone:100%hunter2@host/app", "no 100%hunter2"],
    ["in the query", "postgres://host/app?user=someone&password=hunter2", "no host hunter2"],
    ["of a key", "mysql://host/app?sslPassphrase=hunter2", "no host hunter2"],
  ])("has no password %s", (_, address, text) => {
    expect(redactSecrets(text, ["--check", address], {})).not.toContain("hunter2")
  })

  it("has no password of the environment", () => {
    expect(redactSecrets("refused hunter2", [], { PGPASSWORD: "hunter2" })).toBe("refused ***")
  })

  it("is left alone where there is no password", () => {
    const text = "there is no host of this name: db.example"
    expect(redactSecrets(text, ["--check", "postgres://someone@db.example:5432/app"], { PGPASSWORD: "" })).toBe(text)
  })
})
