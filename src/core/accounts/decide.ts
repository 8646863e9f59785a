/** What to do with an identity that was let in: a table from known facts to a decision. It reads nothing, and changes nothing. */
import type { AdapterUser } from "../../adapters/contract.js"
import { isSameId } from "../storage/records.js"

/** What is known when the decision is made. */
export type Facts = AccountFacts | EmailFacts

/** An account at a provider: `oauth`, `oidc`, `webauthn`. */
export interface AccountFacts {
  readonly kind: "account"
  /** The user of the live session that this sign-in was started in, and which is still there. */
  readonly current: AdapterUser | null
  /** The user that the account belongs to. */
  readonly owner: AdapterUser | null
  /** The user that has the e-mail address which the provider gave. */
  readonly namesake: AdapterUser | null
  /** May the account be linked to the namesake? */
  readonly trust: EmailTrust
}

/**
 * How far an e-mail address can be relied on to find its user. `none`: linking by address was not asked for, or the
 * provider says that it did not verify the address. `opted-in`: `allowDangerousEmailAccountLinking`. `unfinished`: the
 * namesake was created for this very account, by a sign-in that broke off before the two were linked.
 */
export type EmailTrust = "none" | "opted-in" | "unfinished"

/** An address that was proved by a link sent to it. */
export interface EmailFacts {
  readonly kind: "email"
  readonly namesake: AdapterUser | null
}

export type Decision =
  | { readonly kind: "sign-in"; readonly user: AdapterUser }
  /** The user has proved their address. */
  | { readonly kind: "verify"; readonly user: AdapterUser }
  | { readonly kind: "link"; readonly user: AdapterUser; readonly isNewUser: boolean }
  | { readonly kind: "create" }
  | { readonly kind: "refuse"; readonly reason: Refusal }

/** `account-taken`: the account belongs to another user. `email-taken`: the address does. */
export type Refusal = "account-taken" | "email-taken"

/** Wire contract, section 7.2. */
export function decide(facts: Facts): Decision {
  return facts.kind === "email" ? decideByEmail(facts) : decideByAccount(facts)
}

function decideByEmail({ namesake }: EmailFacts): Decision {
  return namesake ? { kind: "verify", user: namesake } : { kind: "create" }
}

function decideByAccount({ current, owner, namesake, trust }: AccountFacts): Decision {
  if (owner && current && !isSameUser(owner, current)) return { kind: "refuse", reason: "account-taken" }
  if (owner) return { kind: "sign-in", user: owner }
  if (current) return { kind: "link", user: current, isNewUser: false }
  if (!namesake) return { kind: "create" }
  if (trust === "none") return { kind: "refuse", reason: "email-taken" }
  return { kind: "link", user: namesake, isNewUser: trust === "unfinished" }
}

export function isSameUser(one: Pick<AdapterUser, "id">, other: Pick<AdapterUser, "id">): boolean {
  return isSameId(one.id, other.id)
}
