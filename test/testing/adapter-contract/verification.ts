/** Defects of verification tokens. */
import type { VerificationToken } from "../../../src/adapters/contract.js"
import { after, before, foldAll, hour, instead, pause, together, type Breaks, type Defect } from "./breaking.js"

/** A store of verification tokens of its own, whose keys may be wrong. */
function tokensBy(keyOf: (key: { identifier: string; token: string }) => string): Breaks {
  return () => {
    const tokens = new Map<string, VerificationToken>()
    return {
      createVerificationToken: (token) => void tokens.set(keyOf(token), token),
      useVerificationToken(key) {
        const token = tokens.get(keyOf(key))
        tokens.delete(keyOf(key))
        return token ?? null
      },
    }
  }
}

export const verificationDefects: readonly Defect[] = [
  {
    name: "createVerificationToken gives an id",
    breaks: after("createVerificationToken", (token) => ({ ...token, id: 1 })),
    fails: ["createVerificationToken gives nothing, or exactly identifier, token and expires"],
  },
  {
    name: "useVerificationToken gives an id",
    breaks: after("useVerificationToken", (token) => token && { ...token, id: 1 }),
    fails: [
      "useVerificationToken gives exactly identifier, token and expires",
      "another address cannot use a token, nor spend it",
      "a token that is not quite right is refused, and spends nothing",
      "two tokens of one address are each used once",
      "an expired token is not found, or found with its expiry in the past",
      "of 50 parallel uses of a token exactly one wins",
    ],
  },
  {
    name: "useVerificationToken leaves the token",
    breaks: instead("useVerificationToken", async (good, key) => {
      const token = await good.useVerificationToken(key)
      if (token) await good.createVerificationToken(token)
      return token
    }),
    fails: ["useVerificationToken gives null the second time"],
  },
  {
    name: "the address does not count",
    breaks: tokensBy(({ token }) => token),
    fails: [
      "another address cannot use a token, nor spend it",
      "deleteExpired deletes what had expired by then, says how many, and nothing else",
    ],
  },
  {
    name: "tokens are compared as MySQL does",
    breaks: tokensBy(({ identifier, token }) => JSON.stringify([identifier, foldAll(token)])),
    fails: [
      "a token that is not quite right is refused, and spends nothing",
      "deleteExpired deletes what had expired by then, says how many, and nothing else",
    ],
  },
  {
    name: "addresses are compared as MySQL does",
    breaks: tokensBy(({ identifier, token }) => JSON.stringify([foldAll(identifier), token])),
    fails: [
      "another address cannot use a token, nor spend it",
      "deleteExpired deletes what had expired by then, says how many, and nothing else",
    ],
  },
  {
    name: "address and token are joined by a colon",
    breaks: tokensBy(({ identifier, token }) => `${identifier}:${token}`),
    fails: [
      "where an address ends and a token begins is not guessed",
      "deleteExpired deletes what had expired by then, says how many, and nothing else",
    ],
  },
  {
    name: "an address has one token",
    breaks: tokensBy(({ identifier }) => identifier),
    fails: [
      "another address cannot use a token, nor spend it",
      "a token that is not quite right is refused, and spends nothing",
      "two tokens of one address are each used once",
      "deleteExpired deletes what had expired by then, says how many, and nothing else",
    ],
  },
  {
    name: "a wrong token spends those of the address",
    breaks: (good) => {
      const tokens = new Map<string, string>()
      return together(
        before("createVerificationToken", (token) => {
          tokens.set(token.identifier, token.token)
          return [token]
        }),
        instead("useVerificationToken", async (_, key) => {
          const used = await good.useVerificationToken(key)
          const other = tokens.get(key.identifier)
          if (!used && other) await good.useVerificationToken({ ...key, token: other })
          return used
        }),
      )(good)
    },
    fails: ["a token that is not quite right is refused, and spends nothing"],
  },
  {
    name: "an expired token is prolonged",
    breaks: after(
      "useVerificationToken",
      (token) => token && { ...token, expires: new Date(Math.max(token.expires.getTime(), Date.now() + hour)) },
    ),
    fails: ["an expired token is not found, or found with its expiry in the past"],
  },
  {
    name: "useVerificationToken reads, then deletes",
    breaks: (good) => {
      const tokens = tokensBy(({ identifier, token }) => JSON.stringify([identifier, token]))(good)
      const use = tokens.useVerificationToken?.bind(tokens)
      return {
        ...tokens,
        async useVerificationToken(key) {
          const token = await use?.(key)
          if (!token) return null
          await tokens.createVerificationToken?.(token)
          await pause()
          await use?.(key)
          return token
        },
      }
    },
    fails: ["deleteExpired deletes what had expired by then, says how many, and nothing else"],
  },
]
