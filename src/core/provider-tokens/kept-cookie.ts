/** Tokens that the browser keeps: refreshed once for all requests that came with the same ones. */
import { sha256Hex } from "#hash"
import type { Engine } from "../engine/engine.js"
import { createFlights } from "../engine/flights.js"
import type { OAuthProvider } from "../engine/providers.js"
import { InvalidConfiguration, ReauthenticationRequired, type AuthErrorLike } from "../errors.js"
import type { CookieWrite } from "../http/cookies.js"
import type { Awaitable, KeptTokens } from "../types.js"
import { unreachable } from "../unreachable.js"
import { readKept, writeKept, type Kept, type KeptAccount, type OpenedKept, type Visit } from "./kept.js"
import { refreshTokens, type Refreshed } from "./refresh.js"
import { lasts, pickTokens, type AccessTokenOptions } from "./tokens.js"

interface CookieRequest {
  readonly engine: Engine
  readonly visit: Visit
  readonly provider: OAuthProvider
  readonly options: AccessTokenOptions
  /** Whether the answer to this request can still carry cookies: a rotated refresh token must reach the browser. */
  readonly canWrite: boolean
}

/** Tokens, or why there are none, with what must reach the browser. */
export type CookieTokens =
  | { readonly kind: "tokens"; readonly tokens: KeptTokens; readonly cookies: readonly CookieWrite[] }
  | { readonly kind: "failed"; readonly error: AuthErrorLike; readonly cookies: readonly CookieWrite[] }
  | { readonly kind: "subject-changed" }

// What is under way belongs to the memory of what was renewed, and is gone with it.
const flights = createFlights<Refreshed>()

/** @throws ReauthenticationRequired; InvalidConfiguration where the answer can carry no cookies any more. */
export async function tokensFromCookie(request: CookieRequest): Promise<CookieTokens> {
  const { engine, visit, provider, options, canWrite } = request
  const kept = await readKept(engine, visit)
  const own = kept?.accounts[provider.id]
  if (!kept || !own) throw new ReauthenticationRequired(provider.id, "not-linked")

  const now = engine.ports.now()
  const newest = await followRenewals(request, kept, own)
  if (newest.access_token !== own.access_token && lasts(newest, 0, now)) return renewed(request, kept, newest)
  if (!options.refresh && lasts(own, options.minimumValidity ?? 30, now)) {
    return canWrite && isDue(engine, kept) ? renewed(request, kept, own) : asIs(own)
  }

  const isUsable = !options.refresh && lasts(newest, 0, now)
  if (newest.refresh_token && canWrite && !provider.token.request) return refresh(request, kept, newest, isUsable)
  if (isUsable) return asIs(newest)
  const isTooLate = newest.refresh_token && !provider.token.request
  throw isTooLate ? new InvalidConfiguration(tooLate) : new ReauthenticationRequired(provider.id, "no-refresh-token")
}

const tooLate =
  "getAccessToken must refresh, and what it gets must reach the browser: call it before the response's headers are sent, with the response"

function asIs(tokens: KeptTokens): CookieTokens {
  return { kind: "tokens", tokens, cookies: [] }
}

/** Kept tokens live as long as a session that is in use, which is prolonged all the time. */
function isDue({ tokenMaxAge, ports }: Engine, { sealedAt }: OpenedKept): boolean {
  return (sealedAt + tokenMaxAge / 30) * 1000 <= ports.now()
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
  const { renewals } = engine.ports
  const key = await keyOf(request, kept, tokens)
  const refreshed = await flights.join(renewals, key, async () => {
    const outcome = await refreshTokens(engine, provider, tokens)
    if (outcome.kind === "fresh") renewals.set(key, pickTokens(outcome.tokens))
    return outcome
  })
  switch (refreshed.kind) {
    case "fresh":
      return renewed(request, kept, pickTokens(refreshed.tokens))
    case "subject-changed":
      return refreshed
    case "refused": {
      const cookies = await writeAccount(request, kept, { ...tokens, refresh_token: undefined })
      return keepOrFail(engine, isUsable, {
        tokens,
        cookies,
        error: new ReauthenticationRequired(provider.id, "refused"),
      })
    }
    case "failed":
      return keepOrFail(engine, isUsable, { tokens, cookies: [], error: refreshed.error })
    default:
      return unreachable(refreshed, "outcome of a refresh")
  }
}

interface Failure {
  readonly tokens: KeptTokens
  readonly cookies: readonly CookieWrite[]
  readonly error: ReauthenticationRequired | Extract<Refreshed, { kind: "failed" }>["error"]
}

/** What has not expired yet will do for now. */
function keepOrFail({ logger }: Engine, isUsable: boolean, { tokens, cookies, error }: Failure): CookieTokens {
  if (!isUsable) return { kind: "failed", error, cookies }
  logger.error(error)
  return { kind: "tokens", tokens, cookies }
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
 * configurations.
 */
function keyOf({ provider }: CookieRequest, { userId }: Kept, { refresh_token }: KeptTokens): Awaitable<string> {
  const { issuer, wellKnown, token, clientId, id } = provider
  return sha256Hex(JSON.stringify([issuer ?? wellKnown ?? token.url, clientId, id, userId, refresh_token]))
}
