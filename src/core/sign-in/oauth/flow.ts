/**
 * What a started sign-in leaves with the browser, and its way back from there. Each flow has cookies of its own, named
 * after a hash of its `state`, so that flows in parallel tabs do not disturb each other.
 */
import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier } from "openid-client"
import { sha256Hex } from "#hash"
import type { Engine } from "../../engine/engine.js"
import type { OAuthProvider } from "../../engine/providers.js"
import type { Scope } from "../../engine/scope.js"
import { expireCookie, flowMaxAge, type CookieKey, type CookieWrite } from "../../http/cookies.js"
import type { JWT } from "../../types.js"

type Check = Extract<CookieKey, "state" | "pkceCodeVerifier" | "nonce">

/** Keeps `state` apart from everything else that is encrypted. */
const stateSalt = "encodedState"

export interface Flow {
  readonly state: string
  readonly codeVerifier: string | undefined
  readonly nonce: string | undefined
  /** Where the provider was told to return to; the token request must repeat it (RFC 6749, section 4.1.3). */
  readonly redirectUri: string
  /** Where the person wanted to go. */
  readonly callbackUrl: string
  /** Mark of the session that started it. */
  readonly startedBy: string | undefined
  /** Whether it replaces one that was lost. */
  readonly isRestart: boolean
}

export interface FlowOptions {
  readonly pkce: boolean
  readonly nonce: boolean
  readonly redirectUri: string
  readonly callbackUrl: string
  readonly startedBy: string | undefined
  /** Address of this deployment's own callback, when the provider returns to a proxy. */
  readonly origin?: string
  /** Whether this flow replaces one that was lost. */
  readonly isRestart: boolean
}

/** Parameters of the authorization request, and the cookies that will recognise its answer. */
export interface StartedFlow {
  readonly params: Readonly<Record<string, string>>
  readonly cookies: readonly CookieWrite[]
}

export async function startFlow(
  engine: Engine,
  scope: Scope,
  provider: OAuthProvider,
  options: FlowOptions,
): Promise<StartedFlow> {
  const { redirectUri, callbackUrl, startedBy, origin, isRestart } = options
  const now = Math.floor(engine.ports.now() / 1000)
  const state = await sealState(engine, now, {
    origin,
    provider: provider.id,
    restart: isRestart || undefined,
    to: targetFrom(callbackUrl, scope.origin),
  })
  const verifier = options.pkce ? randomPKCECodeVerifier() : undefined
  const nonce = options.nonce ? randomNonce() : undefined
  const suffix = await flowSuffix(state)

  const seal = async (check: Check, value: string | undefined, more: JWT = {}): Promise<readonly CookieWrite[]> => {
    if (value === undefined) return []
    const { name, options: attributes } = scope.settings[check]
    const claims = { ...more, value, provider: provider.id, flow: suffix }
    const sealed = await engine.keys.seal(claims, name, now, flowMaxAge)
    const expires = new Date((now + flowMaxAge) * 1000)
    return [{ name: `${name}.${suffix}`, value: sealed, options: { ...attributes, expires } }]
  }
  const cookies = await Promise.all([
    seal("state", await sha256Hex(state), {
      clientId: provider.clientId,
      redirectUri,
      callbackUrl,
      startedBy,
      at: engine.ports.now(),
      pkce: verifier === undefined ? undefined : true,
      nonce: nonce === undefined ? undefined : true,
      restart: isRestart || undefined,
    }),
    seal("pkceCodeVerifier", verifier),
    seal("nonce", nonce),
  ])
  const challenge = verifier === undefined ? {} : await challengeOf(verifier)
  return { params: { state, ...challenge, ...(nonce === undefined ? {} : { nonce }) }, cookies: cookies.flat() }
}

/** X refuses a longer `state`. */
const maxState = 500

/**
 * The target goes along if it is short, so that it is known even where the cookies are not. What makes each `state` another
 * one is its `jti`.
 */
async function sealState({ keys }: Engine, now: number, claims: JWT): Promise<string> {
  const state = await keys.seal(claims, stateSalt, now, flowMaxAge)
  return state.length <= maxState ? state : keys.seal({ ...claims, to: undefined }, stateSalt, now, flowMaxAge)
}

/** A target on our own origin is a path; the origin itself is where one goes anyway. */
function targetFrom(callbackUrl: string, origin: string): string | undefined {
  if (callbackUrl === origin) return undefined
  return callbackUrl.startsWith(`${origin}/`) ? callbackUrl.slice(origin.length) : callbackUrl
}

async function challengeOf(verifier: string): Promise<Readonly<Record<string, string>>> {
  return { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" }
}

/** The flow that `state` belongs to, if this browser started it with this provider and client, and has all its cookies. */
export async function findFlow(
  engine: Engine,
  scope: Scope,
  provider: OAuthProvider,
  state: string,
): Promise<Flow | undefined> {
  const suffix = await flowSuffix(state)
  const sealed = await readCheck(engine, scope, provider, "state", suffix)
  if (sealed?.["value"] !== (await sha256Hex(state)) || sealed["clientId"] !== provider.clientId) return undefined
  const { redirectUri, callbackUrl } = sealed
  if (typeof redirectUri !== "string" || typeof callbackUrl !== "string") return undefined
  const [verifier, nonce] = await Promise.all([
    readCheck(engine, scope, provider, "pkceCodeVerifier", suffix),
    readCheck(engine, scope, provider, "nonce", suffix),
  ])
  if ((sealed["pkce"] === true && !verifier) || (sealed["nonce"] === true && !nonce)) return undefined
  return {
    state,
    redirectUri,
    callbackUrl,
    codeVerifier: textOf(verifier?.["value"]),
    nonce: textOf(nonce?.["value"]),
    startedBy: textOf(sealed["startedBy"]),
    isRestart: sealed["restart"] === true,
  }
}

/** Expires whatever cookies this browser holds of the flow that `state` belongs to. */
export async function endFlow(scope: Scope, state: string): Promise<readonly CookieWrite[]> {
  const suffix = await flowSuffix(state)
  return (["state", "pkceCodeVerifier", "nonce"] as const)
    .map((check) => scope.settings[check])
    .filter(({ name }) => scope.request.cookies[`${name}.${suffix}`] !== undefined)
    .map(({ name, options }) => expireCookie(`${name}.${suffix}`, options))
}

/**
 * Expires the cookies of a flow that Auth.js has started with this provider before the switch; none if there is none.
 * Its cookies bear the plain names, and say the same.
 */
export async function endForeignFlow(
  engine: Engine,
  scope: Scope,
  provider: OAuthProvider,
): Promise<readonly CookieWrite[]> {
  const checks = [scope.settings.state, scope.settings.pkceCodeVerifier, scope.settings.nonce]
  const held = checks.filter(({ name }) => scope.request.cookies[name] !== undefined)
  const claims = await Promise.all(
    held.map(({ name }) => unsealCheck(engine, provider, name, scope.request.cookies[name] ?? "")),
  )
  return claims.every((each) => each === undefined) ? [] : held.map(({ name, options }) => expireCookie(name, options))
}

async function readCheck(
  engine: Engine,
  scope: Scope,
  provider: OAuthProvider,
  check: Check,
  suffix: string,
): Promise<JWT | undefined> {
  const { name } = scope.settings[check]
  const cookie = scope.request.cookies[`${name}.${suffix}`]
  const claims = cookie === undefined ? undefined : await unsealCheck(engine, provider, name, cookie)
  return claims?.["flow"] === suffix ? claims : undefined
}

async function unsealCheck(
  engine: Engine,
  provider: OAuthProvider,
  name: string,
  cookie: string,
): Promise<JWT | undefined> {
  try {
    const claims = await engine.keys.unseal(cookie, name, engine.ports.now() / 1000)
    return claims["provider"] === provider.id ? claims : undefined
  } catch {
    // Forged, foreign or expired: as good as none.
    return undefined
  }
}

/** What a genuine `state` says of itself. */
export interface StateClaims {
  readonly provider: unknown
  readonly isRestart: boolean
  /** Where the person wanted to go: a path, or an address elsewhere. It must pass the `redirect` callback again. */
  readonly target: string | undefined
  /** Callback address of the deployment that started the flow, when this one is its proxy. */
  readonly origin: string | undefined
}

/** Seconds for which an expired `state` may still lead to a new start: a tab that was left open over night. */
const recoverableFor = 24 * 60 * 60

/** Reads a `state` of ours, even an expired one: it authorizes nothing by itself. `undefined` when it is not ours. */
export function readState(engine: Engine, state: string): Promise<StateClaims | undefined> {
  return readStateWith(async () => {
    const claims = JSON.parse(await engine.keys.open(state, stateSalt)) as JWT
    const isOld = (claims.exp ?? 0) + recoverableFor < engine.ports.now() / 1000
    if (isOld) throw new Error("the state is of another day")
    return claims
  })
}

/** Reads a `state` of ours that has not expired. */
export function readFreshState(engine: Engine, state: string): Promise<StateClaims | undefined> {
  return readStateWith(() => engine.keys.unseal(state, stateSalt, engine.ports.now() / 1000))
}

async function readStateWith(open: () => Promise<JWT>): Promise<StateClaims | undefined> {
  try {
    const { provider, restart, origin, to } = await open()
    return { provider, isRestart: restart === true, target: textOf(to), origin: textOf(origin) }
  } catch {
    return undefined
  }
}

async function flowSuffix(state: string): Promise<string> {
  return (await sha256Hex(state)).slice(0, 16)
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
