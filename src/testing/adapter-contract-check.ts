/** What a check of the adapter contract suite is, and what it works with. */
import { randomUUID } from "node:crypto"
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "../adapters/contract.js"
import { expectRecord, expectRecords } from "./adapter-contract-expect.js"

export type AdapterMethod = keyof Adapter

/** An adapter that has these methods. */
export type With<M extends AdapterMethod> = Adapter & Required<Pick<Adapter, M>>

export interface Check {
  readonly name: string
  /** Methods without which it says nothing. */
  readonly needs: readonly AdapterMethod[]
  run(adapter: Adapter, tools: CheckTools): Promise<void>
}

export function check<M extends AdapterMethod>(
  name: string,
  needs: readonly M[],
  body: (adapter: With<M>, tools: CheckTools) => Promise<void>,
): Check {
  return {
    name,
    needs,
    async run(adapter, tools) {
      if (!hasMethods(adapter, needs)) throw new Error(`This check needs ${missingOf(adapter, needs).join(", ")}`)
      await body(adapter, tools)
    },
  }
}

export function missingOf<M extends AdapterMethod>(adapter: Adapter, methods: readonly M[]): readonly M[] {
  return methods.filter((method) => typeof adapter[method] !== "function")
}

function hasMethods<M extends AdapterMethod>(adapter: Adapter, methods: readonly M[]): adapter is With<M> {
  return missingOf(adapter, methods).length === 0
}

export interface CheckToolsOptions {
  /** Further fields that the store keeps, with a value of each: every record is created with them. Default: none. */
  readonly fields?:
    | {
        readonly user?: Readonly<Record<string, unknown>> | undefined
        readonly account?: Readonly<Record<string, unknown>> | undefined
        readonly session?: Readonly<Record<string, unknown>> | undefined
      }
    | undefined
  /** Fields that the store fills in, besides `id`: `["createdAt"]`. Any other that nobody gave is reported. Default: none. */
  readonly generated?: readonly string[] | undefined
  /** Whether the store keeps the milliseconds of dates. Default `false`: dates are whole seconds. */
  readonly milliseconds?: boolean | undefined
}

/** Records to store, unlike any other of the same store; and comparisons that know which fields a store adds. */
export interface CheckTools {
  user(fields?: Partial<AdapterUser>): AdapterUser
  account(userId: string, fields?: Partial<AdapterAccount>): AdapterAccount
  session(userId: string, fields?: Partial<AdapterSession>): AdapterSession
  verificationToken(fields?: Partial<VerificationToken>): VerificationToken
  authenticator(account: Pick<AdapterAccount, "userId" | "providerAccountId">): AdapterAuthenticator
  /** So many seconds from now, no more exact than the store is. */
  moment(seconds: number): Date
  expectRecord(what: string, actual: unknown, expected: object): void
  expectRecords<T extends object>(
    what: string,
    actual: unknown,
    expected: readonly T[],
    keyOf: (record: T) => string,
  ): void
}

const day = 24 * 60 * 60

export function createTools({ fields, generated = [], milliseconds = false }: CheckToolsOptions): CheckTools {
  const moment = (seconds: number): Date =>
    new Date((Math.floor(Date.now() / 1000) + seconds) * 1000 + (milliseconds ? 123 : 0))
  const added = ["id", ...generated]

  return {
    moment,
    user: (own) => ({
      id: randomUUID(),
      name: "Ada Lovelace",
      email: `${randomUUID()}@example.com`,
      emailVerified: null,
      image: "https://example.com/ada.png",
      ...fields?.user,
      ...own,
    }),
    account: (userId, own) => ({ ...tokens, providerAccountId: randomUUID(), ...fields?.account, ...own, userId }),
    session: (userId, own) => ({
      sessionToken: randomUUID(),
      expires: moment(30 * day),
      ...fields?.session,
      ...own,
      userId,
    }),
    verificationToken: (own) => ({
      identifier: `${randomUUID()}@example.com`,
      token: `${randomUUID()}${randomUUID()}`.replaceAll("-", ""),
      expires: moment(day),
      ...own,
    }),
    authenticator: ({ userId, providerAccountId }) => ({
      credentialID: Buffer.from(randomUUID()).toString("base64"),
      credentialPublicKey: Buffer.from("public key").toString("base64"),
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      transports: "usb,nfc",
      providerAccountId,
      userId,
    }),
    expectRecord: (what, actual, expected) => expectRecord(what, actual, expected, added),
    expectRecords: (what, actual, expected, keyOf) =>
      expectRecords(what, actual, expected, { keyOf, generated: added }),
  }
}

const tokens = {
  type: "oidc",
  provider: "acme",
  access_token: "access-token",
  refresh_token: "refresh-token",
  id_token: "id-token",
  expires_at: 1_900_000_000,
  token_type: "bearer",
  scope: "openid profile email",
  session_state: "session-state",
} as const
