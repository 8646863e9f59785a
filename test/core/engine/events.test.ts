import { describe, expect, it } from "@jest/globals"
import { emit } from "../../../src/core/engine/events.js"
import { EventError } from "../../../src/core/errors.js"
import { recordingLogger } from "../../support/core-recording-logger.js"

const user = { id: "1" }

describe("emit", () => {
  it("hands the message to the handler and waits for it", async () => {
    const seen: unknown[] = []
    const createUser = async (message: unknown) => {
      await Promise.resolve()
      seen.push(message)
    }
    const logger = recordingLogger()

    await emit({ events: { createUser }, logger }, "createUser", { user })

    expect(seen).toEqual([{ user }])
    expect(logger.errors).toEqual([])
  })

  it("does nothing without a handler", async () => {
    const logger = recordingLogger()

    await emit({ events: {}, logger }, "createUser", { user })

    expect(logger.errors).toEqual([])
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("mail is down")
      },
    ],
    ["rejects", () => Promise.reject(new Error("mail is down"))],
  ])("logs what a handler %s, and changes nothing", async (_how, signOut) => {
    const logger = recordingLogger()

    await expect(emit({ events: { signOut }, logger }, "signOut", { token: null })).resolves.toBeUndefined()

    expect(logger.errors).toEqual([expect.any(EventError)])
    expect(logger.errors[0]?.cause).toMatchObject({ err: { message: "mail is down" } })
  })
})
