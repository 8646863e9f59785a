/** Tokens that the browser keeps: refreshed once for all requests that came with the same ones. */
import { sha256Hex } from "#hash"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { InvalidConfiguration, ReauthenticationRequired, TokenRefreshError } from "../errors.js"
import type { CookieWrite } from "../http/cookies.js"
import { asError } from "../thrown.js"
import type { Awaitable, KeptTokens } from "../types.js"
import { readKept, writeKept, type Kept, type KeptAccount, type Visit } from "./kept.js"
import { refreshTokens } from "./refresh.js"
import { lasts, type AccessTokenOptions } from "./tokens.js"

export interface CookieRequest {
  readonly engine: Engine
  readonly visit: Visit
  readonly provider: OAuthProvider
  readonly options: AccessTokenOptions
  /** Whether the answer to this request can still carry cookies: a rotated refresh token must reach the browser. */
  readonly canWrite: boolean
}

/** Tokens, with what must reach the browser. `over`: only a new sign-in helps, and the browser may forget what it has. */
export type CookieTokens =
  | { readonly kind: "tokens"; readonly tokens: KeptTokens; readonly cookies: readonly CookieWrite[] }
  | { readonly kind: "refused"; readonly cookies: readonly CookieWrite[] }
  | { readonly kind: "somebody else" }

/** @throws ReauthenticationRequired, TokenRefreshError; InvalidConfiguration where the answer can carry no cookies any more. */
export async function tokensFromCookie(request: CookieRequest): Promise<CookieTokens> {
  const { engine, visit, provider, options, canWrite } = request
  const kept = await readKept(engine, visit)
  const own = kept?.accounts[provider.id]
  if (!kept || !own) throw new ReauthenticationRequired(provider.id, "not-linked")

  const newest = await followRenewals(engine, own)
  const now = engine.ports.now()
  if (newest !== own && lasts(newest, 0, now)) return renewed(request, kept, newest)
  if (!options.refresh && lasts(own, options.minimumValidity ?? 30, now)) return asIs(own)

  const isUsable = !options.refresh && lasts(newest, 0, now)
  if (!newest.refresh_token || !canWrite) {
    if (isUsable) return asIs(newest)
    throw newest.refresh_token ? new InvalidConfiguration(tooLate) : noRefreshToken(provider)
  }
  return refresh(request, kept, newest, isUsable)
}

const tooLate =
  "getAccessToken must refresh, and what it gets must reach the browser: call it before the response's headers are sent, with the response"

function noRefreshToken({ id }: OAuthProvider): ReauthenticationRequired {
  return new ReauthenticationRequired(id, "no-refresh-token")
}

function asIs(tokens: KeptTokens): CookieTokens {
  return { kind: "tokens", tokens, cookies: [] }
}

async function renewed(request: CookieRequest, kept: Kept, tokens: KeptTokens): Promise<CookieTokens> {
  return { kind: "tokens", tokens, cookies: await writeAccount(request, kept, tokens) }
}

async function refresh(
  request: CookieRequest,
  kept: Kept,
  tokens: KeptTokens,
  isUsable: boolean,
): Promise<CookieTokens> {
  const { engine, provider } = request
  const key = await keyOf(tokens)
  try {
    const refreshed = await engine.ports.refreshes.join(key, async () => {
      const outcome = await refreshTokens(engine, provider, tokens)
      if (outcome.kind === "somebody else") return outcome.kind
      if (outcome.kind === "refused") throw new ReauthenticationRequired(provider.id, "refused")
      engine.ports.renewals.set(key, outcome.tokens)
      return outcome.tokens
    })
    return refreshed === "somebody else" ? { kind: refreshed } : await renewed(request, kept, refreshed)
  } catch (error) {
    if (error instanceof ReauthenticationRequired) {
      const cookies = await writeAccount(request, kept, { ...tokens, refresh_token: undefined })
      return { kind: "refused", cookies }
    }
    const message = `The access token of "${provider.id}" could not be refreshed`
    const failed = new TokenRefreshError(message, { cause: { err: asError(error) } })
    if (!isUsable) throw failed
    engine.logger.error(failed)
    return asIs(tokens)
  }
}

function writeAccount(
  { engine, visit, provider }: CookieRequest,
  kept: Kept,
  tokens: KeptTokens,
): Promise<readonly CookieWrite[]> {
  const providerAccountId = kept.accounts[provider.id]?.providerAccountId ?? ""
  const account: KeptAccount = { ...tokens, providerAccountId }
  return writeKept(engine, visit, { ...kept, accounts: { ...kept.accounts, [provider.id]: account } })
}

/** A request that was sent before the renewed tokens reached the browser comes with the old ones. */
async function followRenewals(engine: Engine, tokens: KeptTokens): Promise<KeptTokens> {
  const known = tokens.refresh_token ? engine.ports.renewals.get(await keyOf(tokens)) : undefined
  if (!known || (known.expires_at ?? Infinity) <= (tokens.expires_at ?? 0)) return tokens
  return known.refresh_token === tokens.refresh_token ? known : followRenewals(engine, known)
}

/** Tokens themselves are not kept in the memory of what was renewed from what. */
function keyOf({ refresh_token = "" }: KeptTokens): Awaitable<string> {
  return sha256Hex(refresh_token)
}
