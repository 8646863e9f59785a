/** Checks of malformed and hostile values: anybody can send them, in a cookie or an address. */
import { check, type AdapterMethod, type Check, type CheckTools, type With } from "./adapter-contract-check.js"
import { expectEqual, expectNothing, expectNull, settle } from "./adapter-contract-expect.js"

const hostile: readonly string[] = [
  "",
  " ",
  "'",
  '"',
  "\\",
  "`",
  ";",
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  '" OR ""="',
  "%",
  "_",
  "*",
  "[a-z]*",
  "?",
  "$1",
  ":id",
  '{"$ne":null}',
  '{"$gt":""}',
  "null",
  "undefined",
  "true",
  "NaN",
  "0",
  "-1",
  "1e3",
  "0x1",
  "2147483648",
  "9".repeat(40),
  "00000000-0000-4000-8000-000000000000",
  "00000000-0000-4000-8000-00000000000g",
  "__proto__",
  "constructor",
  "toString",
  "../../etc/passwd",
  "a\r\nSET b c\r\n",
  "a\u0000b",
  "\ud800",
  "\u202e\u200b\ufeff",
  "李小龍 🚀",
  "x".repeat(100_000),
]

/** Hostile as well, but text that a store can keep. */
const storable = hostile.filter(
  (value) => !/^\s*$|\u0000|[\ud800-\udfff](?![\udc00-\udfff])/u.test(value) && value.length < 200,
)

/** Each value against one lookup. */
function lookup<M extends AdapterMethod>(
  method: M,
  call: (adapter: With<M>, value: string) => unknown,
  expectation: (what: string, actual: unknown) => void,
): Check {
  return check(
    `${method} finds nothing by malformed and hostile values, and does not throw`,
    [method],
    async (adapter) => {
      for (const value of hostile) {
        const what = `${method} of ${JSON.stringify(value.slice(0, 60))}`
        expectation(what, await withName(what, () => call(adapter, value)))
      }
    },
  )
}

/** Drivers' messages do not say which value they choked on. */
async function withName(what: string, call: () => unknown): Promise<unknown> {
  const [outcome] = await settle([call])
  if (outcome?.status === "rejected") throw new Error(`${what}: should not throw`, { cause: outcome.reason })
  return outcome?.value
}

const expectEmpty = (what: string, actual: unknown): void => expectEqual(what, actual, [])

const lookups: readonly Check[] = [
  lookup("getUser", (adapter, value) => adapter.getUser(value), expectNull),
  lookup("getUserByEmail", (adapter, value) => adapter.getUserByEmail(value), expectNull),
  lookup(
    "getUserByAccount",
    (adapter, value) => adapter.getUserByAccount({ provider: "acme", providerAccountId: value }),
    expectNull,
  ),
  lookup("getAccount", (adapter, value) => adapter.getAccount(value, "acme"), expectNull),
  lookup("getSessionAndUser", (adapter, value) => adapter.getSessionAndUser(value), expectNull),
  lookup("deleteSession", (adapter, value) => adapter.deleteSession(value), expectNothing),
  lookup(
    "updateSession",
    (adapter, value) => adapter.updateSession({ sessionToken: value, expires: new Date(Date.now() + 60_000) }),
    expectNothing,
  ),
  lookup(
    "useVerificationToken",
    (adapter, value) => adapter.useVerificationToken({ identifier: value, token: value }),
    expectNull,
  ),
  lookup("getAuthenticator", (adapter, value) => adapter.getAuthenticator(value), expectNull),
  lookup("listAuthenticatorsByUserId", (adapter, value) => adapter.listAuthenticatorsByUserId(value), expectEmpty),
  lookup("listAccountsByUserId", (adapter, value) => adapter.listAccountsByUserId(value), expectEmpty),
  lookup("listSessionsByUserId", (adapter, value) => adapter.listSessionsByUserId(value), expectEmpty),
]

/** Hostile text in the place of a token must not match, and not end, what is there. */
async function expectUntouched(
  adapter: With<"createUser" | "createSession" | "getSessionAndUser">,
  tools: CheckTools,
  attack: (value: string) => unknown,
): Promise<void> {
  const user = await adapter.createUser(tools.user())
  const session = tools.session(user.id)
  await adapter.createSession({ ...session })
  await settle(hostile.map((value) => () => attack(value)))
  const found = await adapter.getSessionAndUser(session.sessionToken)
  tools.expectRecord("getSessionAndUser: session", found?.session, session)
  tools.expectRecord("getSessionAndUser: user", found?.user, user)
}

const attacks: readonly Check[] = [
  check(
    "deleteSession by a hostile value ends nobody's session",
    ["createUser", "createSession", "getSessionAndUser", "deleteSession"],
    (adapter, tools) => expectUntouched(adapter, tools, (value) => adapter.deleteSession(value)),
  ),
  check(
    "deleteUser by a hostile value deletes nobody",
    ["createUser", "createSession", "getSessionAndUser", "deleteUser"],
    (adapter, tools) => expectUntouched(adapter, tools, (value) => adapter.deleteUser(value)),
  ),
  check(
    "deleteSessionsByUserId by a hostile value ends nobody's session",
    ["createUser", "createSession", "getSessionAndUser", "deleteSessionsByUserId"],
    (adapter, tools) => expectUntouched(adapter, tools, (value) => adapter.deleteSessionsByUserId(value)),
  ),
  check(
    "hostile text is stored as text: names and account ids come back as they were",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, tools) => {
      const provider = tools.user().id
      for (const value of storable) {
        const user = await adapter.createUser(tools.user({ name: value }))
        const account = tools.account(user.id, { provider, providerAccountId: value })
        await adapter.linkAccount(account)
        const found = await adapter.getUserByAccount({ provider, providerAccountId: value })
        tools.expectRecord(`getUserByAccount of ${JSON.stringify(value)}`, found, { ...user, name: value })
      }
    },
  ),
]

export const hostileChecks: readonly Check[] = [...lookups, ...attacks]
