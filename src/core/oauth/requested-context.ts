/** What the configuration asks of the authentication itself, and the ID token must then say (OpenID Connect Core, 3.1.3.7). */
import type { OAuthProvider } from "../engine/providers.js"
import type { Profile } from "../types.js"

/** Seconds within which the person must have signed in at the provider; `undefined` when any time will do. */
export function maxAgeOf({ type, authorization }: OAuthProvider): number | undefined {
  const { max_age } = authorization.params
  return type === "oidc" && max_age !== undefined ? Number(max_age) : undefined
}

/**
 * Providers may answer with a lesser authentication than `acr_values` asks for; whoever configures it means it.
 * @throws Error when the person was authenticated in none of the ways that are asked for.
 */
export function checkContext({ authorization }: OAuthProvider, { acr }: Profile): void {
  const accepted = acceptedContexts(authorization.params)
  if (accepted === undefined) return
  const isAccepted = typeof acr === "string" && (accepted.length === 0 || accepted.includes(acr))
  if (!isAccepted) throw new Error('the person was not authenticated as was asked for ("acr")')
}

/** `undefined` when nothing is asked for; an empty list when any context will do that the provider names. */
function acceptedContexts(params: Readonly<Record<string, string>>): readonly string[] | undefined {
  const essential = essentialContexts(params["claims"])
  const values = params["acr_values"]?.split(" ").filter((value) => value !== "") ?? []
  return essential ?? (values.length > 0 ? values : undefined)
}

/** OpenID Connect Core, section 5.5.1.1. */
function essentialContexts(claims: string | undefined): readonly string[] | undefined {
  const acr = claims === undefined ? undefined : parseAcrRequest(claims)
  if (acr?.essential !== true) return undefined
  const { value, values = [] } = acr
  return value === undefined ? values : [value]
}

interface AcrRequest {
  readonly essential?: boolean
  readonly value?: string
  readonly values?: readonly string[]
}

function parseAcrRequest(claims: string): AcrRequest | undefined {
  try {
    const { id_token } = JSON.parse(claims) as { readonly id_token?: { readonly acr?: AcrRequest | null } }
    return id_token?.acr ?? undefined
  } catch {
    // The provider refuses what is no JSON.
    return undefined
  }
}
