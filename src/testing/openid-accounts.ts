/** A person the local provider can sign in: `sub`, and the claims its ID token and userinfo carry. */
export interface OpenIDAccount {
  /** The provider's id for this person. Never changes. */
  readonly sub: string
  readonly name?: string
  readonly email?: string
  /** Default true where there is an `email`. */
  readonly email_verified?: boolean
  /** Address of an image; a `data:` address needs no network. */
  readonly picture?: string
  /** Any other claim. Those the standard does not assign to a scope come with `profile`. */
  readonly [claim: string]: unknown
}

/** How the local provider learns who signs in: by itself, or from whoever looks at its page. */
export type OpenIDLogin = "automatic" | "page"

/** Who can sign in when `accounts` is left out: Ada Lovelace and Grace Hopper, each with an e-mail address and a picture. */
export const defaultAccounts: readonly OpenIDAccount[] = [
  { sub: "ada", name: "Ada Lovelace", email: "ada@example.com", picture: initialsPicture("AL", "#6d28d9") },
  { sub: "grace", name: "Grace Hopper", email: "grace@example.com", picture: initialsPicture("GH", "#0f766e") },
]

/** Which account a `login_hint` means: the one with this `sub` or `email`. */
export function findHintedAccount(accounts: readonly OpenIDAccount[], hint: unknown): OpenIDAccount | undefined {
  return accounts.find((account) => account.sub === hint || (account.email !== undefined && account.email === hint))
}

/** The claims of `account`, complete with `email_verified`. */
export function readClaims(account: OpenIDAccount): OpenIDAccount {
  return account.email === undefined ? account : { email_verified: true, ...account }
}

const standardScopes = {
  openid: ["sub"],
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
  address: ["address"],
  profile: [
    "name",
    "given_name",
    "family_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "updated_at",
  ],
}

/**
 * Which claims each scope carries: those of the standard, and with `profile` every other claim of `accounts`.
 * @see https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims
 */
export function claimsByScope(accounts: readonly OpenIDAccount[]): Readonly<Record<string, readonly string[]>> {
  const standard = new Set(Object.values(standardScopes).flat())
  const others = accounts.flatMap((account) => Object.keys(account)).filter((claim) => !standard.has(claim))
  return { ...standardScopes, profile: [...standardScopes.profile, ...new Set(others)] }
}

function initialsPicture(initials: string, colour: string): string {
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><rect width='64' height='64' fill='${colour}'/>` +
    `<text x='32' y='41' font-family='sans-serif' font-size='25' fill='#fff' text-anchor='middle'>${initials}</text></svg>`
  return `data:image/svg+xml,${svg.replace(/[<>#% ]/g, encodeURIComponent)}`
}
