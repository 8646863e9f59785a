/** Finds out who somebody is from an OAuth provider's answer: code → tokens → profile → user and account. */
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  fetchProtectedResource,
  fetchUserInfo,
  type Configuration,
} from "openid-client"
import { canonicalEmail } from "../../accounts/email.js"
import { newUserId } from "../../accounts/user-id.js"
import type { Engine } from "../../engine/engine.js"
import type { OAuthProvider } from "../../engine/providers.js"
import { InvalidCheck, OAuthCallbackError, OAuthProfileParseError } from "../../errors.js"
import { asError } from "../../thrown.js"
import type { Account, Profile, TokenSet, User } from "../../types.js"
import type { Identity } from "../identity.js"
import { clientFor } from "../../oauth/client.js"
import type { Flow } from "./flow.js"
import { readIdToken } from "../../oauth/id-token.js"
import { withoutSecrets } from "../../oauth/safe-error.js"
import { inTime } from "../../oauth/transport.js"
import { isRefusalOfCode, RefusedCode } from "./refused-code.js"

/**
 * @throws OAuthCallbackError when the provider answered with an error, OAuthProfileParseError when its profile has no
 * usable id, RefusedCode when it does not take the code, another Error for any answer that does not hold.
 */
export async function identifyByCode(
  engine: Engine,
  provider: OAuthProvider,
  flow: Flow,
  answer: URLSearchParams,
): Promise<Identity> {
  try {
    if (answer.has("access_token")) throw new InvalidCheck("A token arrived in the address: this is no code flow")
    const client = await clientFor(engine, provider)
    const tokens = await exchangeCode(engine, client, provider, flow, answer)
    const profile = withUserField(provider, answer, await fetchProfile(engine, client, provider, tokens))
    return await mapProfile(engine, provider, profile, tokens)
  } catch (error) {
    throw withoutSecrets(error)
  }
}

/** The last second that a JavaScript date can name. */
const latestTime = 8.64e12

async function exchangeCode(
  engine: Engine,
  client: Configuration,
  provider: OAuthProvider,
  flow: Flow,
  answer: URLSearchParams,
): Promise<TokenSet> {
  const url = new URL(flow.redirectUri)
  url.search = withComparableIssuer(provider, answer).toString()
  const checks = {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.codeVerifier,
    idTokenExpected: provider.type === "oidc",
    maxAge: maxAgeOf(provider),
  }
  try {
    const response = await authorizationCodeGrant(client, url, checks)
    const { expires_in } = response
    const expires_at = expires_in ? Math.floor(engine.ports.now() / 1000) + expires_in : undefined
    // RFC 6749, appendix A.12. Anything else would be quoted by whatever refuses it.
    if (!/^[\x20-\x7e]+$/.test(response.access_token))
      throw new Error('"access_token" has characters that it must not have')
    if (expires_at !== undefined && !(expires_at < latestTime)) throw new Error('"expires_in" is beyond all time')
    return { ...response, expires_at }
  } catch (error) {
    if (isRefusalOfCode(error)) throw new RefusedCode()
    if (!(error instanceof AuthorizationResponseError)) throw error
    const { error: code, error_description: description } = error
    throw new OAuthCallbackError(`The provider answered "${/^[\w.-]{1,60}$/.test(code) ? code : "an error"}"`, {
      cause: { provider: provider.id, code, description },
    })
  }
}

/** Whoever asks for a recent sign-in must see that it was one (OpenID Connect Core, section 3.1.2.1). */
function maxAgeOf({ type, authorization }: OAuthProvider): number | undefined {
  const { max_age } = authorization.params
  return type === "oidc" && max_age !== undefined ? Number(max_age) : undefined
}

/** Without a configured issuer there is nothing to compare `iss` with (RFC 9207); redirect URIs differ by provider. */
function withComparableIssuer(provider: OAuthProvider, answer: URLSearchParams): URLSearchParams {
  if (provider.issuer !== undefined || provider.wellKnown !== undefined) return answer
  const comparable = new URLSearchParams(answer)
  comparable.delete("iss")
  return comparable
}

async function fetchProfile(
  engine: Engine,
  client: Configuration,
  provider: OAuthProvider,
  tokens: TokenSet,
): Promise<Profile> {
  if (provider.type === "oidc") return oidcProfile(engine, client, provider, tokens)
  const { request } = provider.userinfo
  if (request) return requireProfile(await inTime(engine, request({ tokens, provider: provider.config })))
  const url = provider.userinfo.url ?? client.serverMetadata().userinfo_endpoint
  if (!url) throw new TypeError(`the provider "${provider.id}" has neither userinfo.url nor userinfo.request`)
  const response = await fetchProtectedResource(
    client,
    tokens.access_token ?? "",
    new URL(url),
    "GET",
    null,
    new Headers({ accept: "application/json" }),
  )
  if (!response.ok) throw new Error(`the userinfo endpoint of "${provider.id}" answered ${response.status}`)
  return requireProfile(await response.json())
}

async function oidcProfile(
  engine: Engine,
  client: Configuration,
  provider: OAuthProvider,
  tokens: TokenSet,
): Promise<Profile> {
  const now = engine.ports.now() / 1000
  const claims = await readIdToken(tokens, { provider, metadata: client.serverMetadata(), now })
  if (provider.idToken) return claims
  return { ...(await fetchUserInfo(client, tokens.access_token ?? "", claims.sub ?? "")) }
}

function requireProfile(profile: unknown): Profile {
  if (typeof profile === "object" && profile !== null && !Array.isArray(profile)) return profile as Profile
  throw new Error("the provider's profile is not a JSON object")
}

/** Apple gives the name once, as a JSON field beside the code. It is the person's own word: nothing to rely on. */
function withUserField({ formPost }: OAuthProvider, answer: URLSearchParams, profile: Profile): Profile {
  const user = answer.get("user")
  if (!formPost || user === null) return profile
  try {
    return { ...profile, user: JSON.parse(user) as unknown }
  } catch {
    return profile
  }
}

async function mapProfile(
  { secrets: [secret = ""] }: Engine,
  provider: OAuthProvider,
  profile: Profile,
  { userId: _notTheirs, ...tokens }: TokenSet,
): Promise<Identity> {
  const mapped = await callProfile(provider, profile, tokens)
  const key = { provider: provider.id, providerAccountId: accountId(provider, mapped.id) }
  const email = isMissing(mapped.email) ? undefined : canonicalEmail(mapped.email)
  const user: User = { ...mapped, id: await newUserId(secret, key), email }
  const account: Account = { ...tokens, ...key, type: provider.type }
  return { user, account, profile, statedEmail: mapped.email }
}

function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

async function callProfile(provider: OAuthProvider, profile: Profile, tokens: TokenSet): Promise<User> {
  try {
    return await provider.profile(profile, tokens)
  } catch (error) {
    throw new OAuthProfileParseError(`The profile of "${provider.id}" could not be mapped`, {
      cause: { err: asError(error), provider: provider.id },
    })
  }
}

/** What a missing or wrong value becomes when it is made a text. */
const noIds: ReadonlySet<string> = new Set(["", "undefined", "null", "NaN", "[object Object]"])

/** An id that is missing or no plain value would make every such person the same one, or a new one each time. */
function accountId({ id: provider }: OAuthProvider, id: unknown): string {
  // Stores take every half of a surrogate pair for the same character.
  if (typeof id === "string" && !noIds.has(id) && !/\p{Surrogate}/u.test(id)) return id
  if (typeof id === "number" && Number.isSafeInteger(id)) return String(id)
  throw new OAuthProfileParseError(`profile() of "${provider}" must return an id`, { cause: { provider } })
}
