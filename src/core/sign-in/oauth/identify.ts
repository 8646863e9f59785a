/** Finds out who somebody is from an OAuth provider's answer: code → tokens → profile → user and account. */
import { fetchProtectedResource, type Configuration } from "openid-client"
import { canonicalEmail } from "../../accounts/email.js"
import { newUserId } from "../../accounts/user-id.js"
import type { Engine } from "../../engine/engine.js"
import type { OAuthProvider } from "../../engine/providers.js"
import { InvalidCheck, OAuthProfileParseError } from "../../errors.js"
import { asError } from "../../thrown.js"
import type { Account, Profile, TokenSet, User } from "../../types.js"
import type { Identity } from "../identity.js"
import { clientFor } from "../../oauth/client.js"
import { userinfoAddress } from "../../oauth/client-identity.js"
import { dpopHandleFor } from "../../oauth/dpop.js"
import { readIdToken } from "../../oauth/id-token.js"
import { checkContext } from "../../oauth/requested-context.js"
import { withoutSecrets } from "../../oauth/safe-error.js"
import { inTime, providerForHooks } from "../../oauth/send.js"
import { fetchUserinfo } from "../../oauth/userinfo.js"
import { exchangeCode } from "./exchange-code.js"
import type { Flow } from "./flow.js"

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

async function fetchProfile(
  engine: Engine,
  client: Configuration,
  provider: OAuthProvider,
  tokens: TokenSet,
): Promise<Profile> {
  if (provider.type === "oidc") return oidcProfile(engine, client, provider, tokens)
  const { request } = provider.userinfo
  if (request)
    return requireProfile(await inTime(engine, request({ tokens, provider: providerForHooks(engine, provider) })))
  const url = userinfoAddress(client, provider)
  if (!url) throw new TypeError(`the provider "${provider.id}" has neither userinfo.url nor userinfo.request`)
  const response = await fetchProtectedResource(
    client,
    tokens.access_token ?? "",
    new URL(url),
    "GET",
    null,
    new Headers({ accept: "application/json" }),
    { DPoP: await dpopHandleFor(client, provider) },
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
  const claims = await readIdToken(engine, provider, client.serverMetadata(), tokens)
  checkContext(provider, claims)
  if (provider.idToken) return claims
  return fetchUserinfo(engine, client, provider, tokens, claims.sub)
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
