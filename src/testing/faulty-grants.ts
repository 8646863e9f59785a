/** What the faulty provider remembers of those who signed in: codes, and refresh tokens with their families. */
import { base64url } from "jose"
import type { Json } from "./faulty-keys.js"

export const accessToken = "the-access-token"
export const refreshToken = "the-refresh-token"

interface Code {
  readonly redirectUri: string
  readonly nonce: string | undefined
  readonly challenge: string | undefined
}

/** The refresh tokens of one sign-in, of which one at most is good. */
interface Family {
  readonly person: Json
  live: string | undefined
}

export interface Granted {
  readonly person: Json
  readonly nonce?: string | undefined
  readonly accessToken: string
  readonly refreshToken: string
}

export class FaultyGrants {
  readonly #codes = new Map<string, Code>()
  readonly #families = new Map<string, Family>()
  #codesGiven = 0
  #refreshes = 0
  #firstPerson: unknown

  /** A code for what an authorization request asks. */
  giveCode(asked: URLSearchParams): string {
    const code = `code-${++this.#codesGiven}-${crypto.randomUUID()}`
    this.#codes.set(code, {
      redirectUri: asked.get("redirect_uri") ?? "",
      nonce: asked.get("nonce") ?? undefined,
      challenge: asked.get("code_challenge") ?? undefined,
    })
    return code
  }

  /** Redeems a code, once; nothing when it is unknown, or was given for another address or verifier. */
  async redeem(form: URLSearchParams, person: Json): Promise<Granted | undefined> {
    const name = form.get("code") ?? ""
    const code = this.#codes.get(name)
    if (!code || code.redirectUri !== form.get("redirect_uri") || !(await fits(code, form))) return undefined
    if (!this.#codes.delete(name)) return undefined
    const suffix = this.#suffixOf(person)
    const live = refreshToken + suffix
    this.#families.set(live, { person, live })
    return { person, nonce: code.nonce, accessToken: accessToken + suffix, refreshToken: live }
  }

  /**
   * New tokens for a refresh token. One that was rotated away is refused, and takes its successors with it (RFC 9700,
   * section 4.14.2).
   */
  refresh(form: URLSearchParams, rotates: boolean): Granted | undefined {
    const given = form.get("refresh_token") ?? ""
    const family = this.#families.get(given)
    if (!family) return undefined
    if (family.live !== given) {
      family.live = undefined
      return undefined
    }
    const suffix = `-${++this.#refreshes + 1}`
    const next = rotates ? refreshToken + suffix : given
    family.live = next
    this.#families.set(next, family)
    return { person: family.person, accessToken: accessToken + suffix, refreshToken: next }
  }

  /** No refresh token is good any longer. */
  revoke(): void {
    this.#families.clear()
  }

  /** Whoever signs in first has tokens that tests know by heart, at each sign-in. */
  #suffixOf({ sub }: Json): string {
    this.#firstPerson ??= sub
    return sub === this.#firstPerson ? "" : `-of-${String(sub)}`
  }
}

async function fits({ challenge }: Code, form: URLSearchParams): Promise<boolean> {
  if (challenge === undefined) return true
  const verifier = new TextEncoder().encode(form.get("code_verifier") ?? "")
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", verifier))) === challenge
}
