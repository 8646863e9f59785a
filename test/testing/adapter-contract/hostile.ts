/** Defects that malformed and hostile values show. */
import { after, before, instead, together, type Breaks, type Defect } from "./breaking.js"

/** As PostgreSQL refuses a text with a zero character. */
const refuse = (...values: readonly string[]): readonly string[] => {
  if (values.some((value) => value.includes("\u0000"))) throw new Error("invalid byte sequence for encoding")
  return values
}

/** Ends every session when it is given what `LIKE` takes for any text. */
function understandingWildcards(method: "deleteSession" | "deleteUser" | "deleteSessionsByUserId"): Breaks {
  return (good) => {
    const ids: string[] = []
    return together(
      after("createSession", (session) => {
        ids.push(session.userId)
        return session
      }),
      instead(method, async (_, value) => {
        if (value === "%") for (const id of ids) await good.deleteSessionsByUserId(id)
        return good[method](value)
      }),
    )(good)
  }
}

export const hostileDefects: readonly Defect[] = [
  {
    name: "lookups throw at a zero character",
    breaks: together(
      before("getUser", refuse),
      before("getUserByEmail", refuse),
      before("getUserByAccount", (key) => {
        refuse(key.providerAccountId)
        return [key]
      }),
      before("getAccount", refuse),
      before("getSessionAndUser", refuse),
      before("deleteSession", refuse),
      before("updateSession", (session) => {
        refuse(session.sessionToken)
        return [session]
      }),
      before("useVerificationToken", (key) => {
        refuse(key.token)
        return [key]
      }),
      before("getAuthenticator", refuse),
      before("listAuthenticatorsByUserId", refuse),
      before("listAccountsByUserId", refuse),
      before("listSessionsByUserId", refuse),
    ),
    fails: [
      "getUser finds nothing by malformed and hostile values, and does not throw",
      "getUserByEmail finds nothing by malformed and hostile values, and does not throw",
      "getUserByAccount finds nothing by malformed and hostile values, and does not throw",
      "getAccount finds nothing by malformed and hostile values, and does not throw",
      "getSessionAndUser finds nothing by malformed and hostile values, and does not throw",
      "deleteSession finds nothing by malformed and hostile values, and does not throw",
      "updateSession finds nothing by malformed and hostile values, and does not throw",
      "useVerificationToken finds nothing by malformed and hostile values, and does not throw",
      "getAuthenticator finds nothing by malformed and hostile values, and does not throw",
      "listAuthenticatorsByUserId finds nothing by malformed and hostile values, and does not throw",
      "listAccountsByUserId finds nothing by malformed and hostile values, and does not throw",
      "listSessionsByUserId finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "deleteSession understands wildcards",
    breaks: understandingWildcards("deleteSession"),
    fails: ["deleteSession by a hostile value ends nobody's session"],
  },
  {
    name: "deleteUser understands wildcards",
    breaks: understandingWildcards("deleteUser"),
    fails: ["deleteUser by a hostile value deletes nobody"],
  },
  {
    name: "deleteSessionsByUserId understands wildcards",
    breaks: understandingWildcards("deleteSessionsByUserId"),
    fails: ["deleteSessionsByUserId by a hostile value ends nobody's session"],
  },
]
