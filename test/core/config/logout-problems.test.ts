/** Configurations in which providers end sessions. */
import { describe, expect, it } from "@jest/globals"
import { MemoryAdapter, MemoryRevocations } from "../../../src/adapters/memory.js"
import type { AuthConfig } from "../../../src/core/config/config.js"
import { findProblems } from "../../../src/core/config/validate.js"
import { MissingAdapterMethods } from "../../../src/core/errors.js"
import type { Provider } from "../../../src/providers/kinds.js"

const idp = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.example", backChannelLogout: true } as const

function problemsOf(members: Readonly<Record<string, unknown>> = {}, providers: readonly unknown[] = [idp]) {
  const config = { providers, secret: "secret", ...members } as AuthConfig
  return findProblems(config, providers as readonly Provider[], { development: false })
}

const textsOf = (...given: Parameters<typeof problemsOf>) =>
  problemsOf(...given).map(({ path, expected }) => `${path}: ${expected}`)

describe("a provider that ends sessions", () => {
  it("needs a memory of ended sessions, where they are tokens", () => {
    const expected = "session.revocations: given where a provider has backChannelLogout and sessions are tokens"
    expect(textsOf()).toEqual([expected])
    expect(textsOf({ adapter: MemoryAdapter(), session: { strategy: "jwt" } })).toEqual([expected])
    expect(textsOf({ session: { revocations: MemoryRevocations() } })).toEqual([])
  })

  it("needs none where sessions are in a database, or where it ends none", () => {
    expect(textsOf({ adapter: MemoryAdapter() })).toEqual([])
    expect(textsOf({}, [{ ...idp, backChannelLogout: false }])).toEqual([])
    expect(textsOf({}, [{ ...idp, backChannelLogout: undefined }])).toEqual([])
  })

  it.each(["listSessionsByUserId", "getUserByAccount"])("needs %s of a database", (method) => {
    const { [method as "listSessionsByUserId"]: _missing, ...adapter } = MemoryAdapter()
    const problems = problemsOf({ adapter })
    expect(problems).toMatchObject([{ path: "adapter", as: MissingAdapterMethods }])
    expect(problems[0]?.hint).toContain(`back-channel logout with database sessions: ${method}`)
    expect(problemsOf({ adapter }, [{ ...idp, backChannelLogout: false }])).toHaveLength(
      method === "getUserByAccount" ? 1 : 0,
    )
  })

  it("must be one of OpenID Connect", () => {
    const urls = { authorization: "https://a.example", token: "https://a.example", userinfo: "https://a.example" }
    const oauth = { id: "oauth", name: "OAuth", type: "oauth", ...urls, backChannelLogout: true }
    expect(textsOf({}, [oauth])).toEqual([
      "providers[0].backChannelLogout: left out: only OpenID Connect providers send logout tokens",
    ])
  })

  it.each(["true", 1, {}])("is not made one by %j", (backChannelLogout) => {
    expect(textsOf({}, [{ ...idp, backChannelLogout }])).toEqual(["providers[0].backChannelLogout: true or false"])
  })
})

describe("session.revocations", () => {
  it.each([null, true, "redis", {}, { revoke: () => undefined }, { revoke: 1, revokedAt: 2 }])(
    "is not %j",
    (revocations) => {
      expect(textsOf({ session: { revocations } })).toEqual([
        "session.revocations: an object with revoke and revokedAt",
      ])
    },
  )

  it("may be given although no provider ends sessions, and be a class of the application's own", () => {
    class Ended {
      revoke() {
        return undefined
      }
      revokedAt() {
        return null
      }
    }
    expect(textsOf({ session: { revocations: new Ended() } }, [])).toEqual([])
  })

  it("is no second problem of a list that holds no providers", () => {
    expect(textsOf({}, [null, 7])).toEqual([
      "providers[0]: a provider object, or a function that returns one",
      "providers[1]: a provider object, or a function that returns one",
    ])
  })
})
