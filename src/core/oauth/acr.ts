/** The strength of a sign-in, where the configuration requires one. */
import type { OAuthProvider } from "../engine/providers.js"

/**
 * Values of `acr` of which the ID token must have one, because `authorization.params.claims` asks for it as essential
 * (OpenID Connect Core, section 5.5.1.1). `acr_values` alone is a wish, which the provider need not fulfil.
 */
export function requiredAcr({ authorization }: Pick<OAuthProvider, "authorization">): readonly string[] {
  const { claims } = authorization.params
  if (claims === undefined) return []
  const request = memberOf(memberOf(parse(claims), "id_token"), "acr")
  if (memberOf(request, "essential") !== true) return []
  const [value, values] = [memberOf(request, "value"), memberOf(request, "values")]
  const wanted: readonly unknown[] = Array.isArray(values) ? values : [value]
  return wanted.filter((each): each is string => typeof each === "string")
}

function parse(claims: string): unknown {
  try {
    return JSON.parse(claims)
  } catch {
    return undefined
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
}
