/** Checks of verification tokens: each is spent once, by the address it was made for. */
import type { VerificationToken } from "../adapters/contract.js"
import { check, type Check } from "./adapter-contract-check.js"
import { expectEqual, expectNull, fail, gains, race } from "./adapter-contract-expect.js"

const both = ["createVerificationToken", "useVerificationToken"] as const

const keyOf = ({ identifier, token }: VerificationToken) => ({ identifier, token })

function expectExactly(what: string, actual: VerificationToken | null | undefined | void, expected: VerificationToken) {
  if (!actual) return fail(what, "should give the verification token, but gave nothing")
  expectEqual(`${what}: fields`, Object.keys(actual).sort(), ["expires", "identifier", "token"])
  for (const field of ["identifier", "token", "expires"] as const)
    expectEqual(`${what}: ${field}`, actual[field], expected[field])
}

export const verificationChecks: readonly Check[] = [
  check(
    "createVerificationToken gives nothing, or exactly identifier, token and expires",
    both,
    async (adapter, tools) => {
      const given = tools.verificationToken()
      const created = await adapter.createVerificationToken({ ...given })
      if (created) expectExactly("createVerificationToken", created, given)
    },
  ),

  check("useVerificationToken gives exactly identifier, token and expires", both, async (adapter, tools) => {
    const given = tools.verificationToken()
    await adapter.createVerificationToken({ ...given })
    expectExactly("useVerificationToken", await adapter.useVerificationToken(keyOf(given)), given)
  }),

  check("useVerificationToken gives null the second time", both, async (adapter, tools) => {
    const given = tools.verificationToken()
    await adapter.createVerificationToken({ ...given })
    await adapter.useVerificationToken(keyOf(given))
    expectNull("useVerificationToken, second", await adapter.useVerificationToken(keyOf(given)))
  }),

  check("useVerificationToken gives null for an unknown token", both, async (adapter, tools) => {
    expectNull("useVerificationToken", await adapter.useVerificationToken(keyOf(tools.verificationToken())))
  }),

  check("another address cannot use a token, nor spend it", both, async (adapter, tools) => {
    const [given, other] = [tools.verificationToken(), tools.verificationToken()]
    for (const each of [given, other]) await adapter.createVerificationToken({ ...each })
    const { identifier, token } = given
    const foreign = [
      { identifier: other.identifier, token },
      { identifier: identifier.replace("example", "exämple"), token },
      { identifier: `${identifier} `, token },
      { identifier: "", token },
      { identifier: token, token: identifier },
    ]
    for (const key of foreign)
      expectNull("useVerificationToken, other address", await adapter.useVerificationToken(key))
    expectExactly("useVerificationToken, right address", await adapter.useVerificationToken(keyOf(given)), given)
  }),

  check("a token that is not quite right is refused, and spends nothing", both, async (adapter, tools) => {
    const given = tools.verificationToken({ token: `a${tools.verificationToken().token.slice(1)}` })
    await adapter.createVerificationToken({ ...given })
    const { identifier, token } = given
    for (const wrong of [token.toUpperCase(), `á${token.slice(1)}`, `${token} `, token.slice(0, -1), `${token}0`, ""])
      expectNull("useVerificationToken, wrong token", await adapter.useVerificationToken({ identifier, token: wrong }))
    expectExactly("useVerificationToken, right token", await adapter.useVerificationToken(keyOf(given)), given)
  }),

  check("where an address ends and a token begins is not guessed", both, async (adapter, tools) => {
    const { identifier, token } = tools.verificationToken()
    for (const joint of ["", ":", "|", "/", " "]) {
      const given = tools.verificationToken({ identifier: `${identifier}${joint}a`, token: `b${joint}${token}` })
      await adapter.createVerificationToken({ ...given })
      const shifted = { identifier, token: `a${joint}b${joint}${token}` }
      expectNull("useVerificationToken, shifted", await adapter.useVerificationToken(shifted))
      expectNull(
        "useVerificationToken, shifted",
        await adapter.useVerificationToken({ identifier: `${identifier}${joint}a${joint}b`, token }),
      )
    }
  }),

  check("two tokens of one address are each used once", both, async (adapter, tools) => {
    const first = tools.verificationToken()
    const second = tools.verificationToken({ identifier: first.identifier })
    for (const each of [first, second]) await adapter.createVerificationToken({ ...each })
    for (const each of [second, first])
      expectExactly("useVerificationToken", await adapter.useVerificationToken(keyOf(each)), each)
  }),

  check("an expired token is not found, or found with its expiry in the past", both, async (adapter, tools) => {
    const given = tools.verificationToken({ expires: tools.moment(-60) })
    await adapter.createVerificationToken({ ...given })
    const used = await adapter.useVerificationToken(keyOf(given))
    if (used !== null) expectExactly("useVerificationToken", used, given)
  }),

  check("of 50 parallel uses of a token exactly one wins", both, async (adapter, tools) => {
    const given = tools.verificationToken()
    await adapter.createVerificationToken({ ...given })
    const outcomes = await race(50, () => adapter.useVerificationToken(keyOf(given)))
    const [winner, ...more] = gains(outcomes).filter((used) => used !== null)
    if (more.length > 0) fail("useVerificationToken", `${more.length + 1} of 50 parallel calls won`, more)
    expectExactly("useVerificationToken of the winner", winner, given)
    for (const { status } of outcomes) expectEqual("useVerificationToken of a loser", status, "fulfilled")
  }),
]
