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

  const newest = await followRenewals(request, kept, own)
  const now = engine.ports.now()
  if (newest.access_token !== own.access_token && lasts(newest, 0, now)) return renewed(request, kept, newest)
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
  const key = await keyOf(request, kept, tokens)
  try {
    const refreshed = await engine.ports.refreshes.join(engine.ports.renewals, key, async () => {
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
      if (!isUsable) return { kind: "refused", cookies }
      engine.logger.error(error)
      return { kind: "tokens", tokens, cookies }
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

/** How far renewals are followed. A provider whose refresh tokens come again would lead in circles. */
const mostRenewals = 5

/** A request that was sent before the renewed tokens reached the browser comes with the old ones. */
async function followRenewals(request: CookieRequest, kept: Kept, tokens: KeptTokens): Promise<KeptTokens> {
  let newest = tokens
  for (let hop = 0; hop < mostRenewals; hop += 1) {
    const known = request.engine.ports.renewals.get(await keyOf(request, kept, newest))
    if (!known || known.access_token === newest.access_token || !outlasts(known, newest)) return newest
    newest = known
  }
  return newest
}

function outlasts(one: KeptTokens, other: KeptTokens): boolean {
  return (one.expires_at ?? Infinity) > (other.expires_at ?? 0)
}

/**
 * What tells this refresh token from every other, of other people, clients and issuers too: one process may serve several
 * configurations. Tokens themselves are not kept in the memory of what was renewed from what.
 */
function keyOf({ provider }: CookieRequest, { userId }: Kept, { refresh_token }: KeptTokens): Awaitable<string> {
  const { issuer, wellKnown, token, clientId, id } = provider
  return sha256Hex(JSON.stringify([issuer ?? wellKnown ?? token.url, clientId, id, userId, refresh_token]))
}
