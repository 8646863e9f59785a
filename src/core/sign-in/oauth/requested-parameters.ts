/** What the query of a sign-in request may add to the authorization request. */
import type { ParsedAuthorization } from "../../engine/endpoints.js"

/**
 * Claims of a JWT: in a request object that we sign they would speak for us, and `sub` with our client id would make it an
 * assertion by which anybody is our client (RFC 9101, section 10.8).
 */
const registeredClaims = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "cnf", "act", "typ", "events"]

/** Parameters that only the configuration may decide, and our own fields: a browser's query does not reach them. */
const reservedParameters: ReadonlySet<string> = new Set([
  ...registeredClaims,
  "client_id",
  "client_secret",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "request",
  "request_uri",
  "registration",
  "claims",
  "authorization_details",
  "resource",
  "id_token_hint",
  "client_assertion",
  "client_assertion_type",
  "dpop_jkt",
  "callbackurl",
  "csrftoken",
])

/** What the configuration says, only these may say otherwise: they are about this one visit. */
const visitParameters: ReadonlySet<string> = new Set(["prompt", "login_hint", "ui_locales", "display"])

/** The parameters of `query` that a browser may set. `allow` names reserved ones that this provider leaves to it. */
export function requestedParameters(
  query: URLSearchParams,
  { type, authorization }: { readonly type: "oauth" | "oidc"; readonly authorization: ParsedAuthorization },
): Readonly<Record<string, string>> {
  const { params, allow } = authorization
  const configured = new Set(Object.keys(params).map(canonicalName))
  const mayBeSet = (name: string) => {
    if (allow.some((allowed) => allowed === name)) return true
    const canonical = canonicalName(name)
    if (!isParameterName(name) || reservedParameters.has(canonical)) return false
    return visitParameters.has(name) || !configured.has(canonical)
  }
  const requested = Object.fromEntries([...query].filter(([name]) => mayBeSet(name)))
  // Without this scope there would be no ID token.
  const lacksOpenId = type === "oidc" && requested["scope"]?.split(" ").includes("openid") === false
  return lacksOpenId ? { ...requested, scope: `openid ${requested["scope"]}` } : requested
}

/** RFC 6749, appendix A. Of anything else servers make names of their own: PHP takes `scope[` for `scope_`. */
function isParameterName(name: string): boolean {
  return /^[\w.-]+$/.test(name)
}

/** Some servers do not tell capitals from small letters, some take a dot for an underscore. */
function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll(".", "_")
}
