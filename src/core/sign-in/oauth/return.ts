/** The browser comes back from an OAuth provider: to the flow it belongs to, or, if that is gone, to a fresh start. */
import type { Engine } from "../../engine/engine.js"
import { emitSession } from "../../engine/events.js"
import type { OAuthProvider } from "../../engine/providers.js"
import { redirectTarget, type Scope } from "../../engine/scope.js"
import { isTrustedHost } from "../../http/origin.js"
import { InvalidCheck, OAuthCallbackError } from "../../errors.js"
import { failure, redirect, withCookies, type Result } from "../../http/result.js"
import { completeSignIn } from "../pipeline.js"
import { endFlow, endForeignFlow, findFlow, readFreshState, readState, type Flow, type StateClaims } from "./flow.js"
import { identifyByCode } from "./identify.js"
import { failsByCode } from "./refused-code.js"
import { startOAuth } from "./start.js"

export async function returnFromProvider(engine: Engine, scope: Scope, provider: OAuthProvider): Promise<Result> {
  const { request } = scope
  if (request.method === "POST" && provider.formPost) return repeatAsGet(scope, provider)
  const answer = request.url.searchParams
  const state = answer.get("state") ?? ""
  const hop = await proxyHop(engine, scope, provider, state)
  if (hop !== undefined) return redirect(hop)

  const flow = await claimFlow(engine, scope, provider, state)
  const result = flow
    ? await complete(engine, scope, provider, flow, answer)
    : await recover(engine, scope, provider, state)
  // Done or failed: a flow is used once.
  return withCookies(result, await endFlow(scope, state))
}

async function complete(
  engine: Engine,
  scope: Scope,
  provider: OAuthProvider,
  flow: Flow,
  answer: URLSearchParams,
): Promise<Result> {
  const { callbackUrl, startedBy } = flow
  const identity = identifyByCode(engine, provider, flow, answer)
  if (await failsByCode(identity)) {
    engine.logger.debug("the provider does not take the code any more", { provider: provider.id })
    // A second click, or a repeated callback, that another process has answered already.
    const onward = (await goOn(engine, scope, callbackUrl)) ?? (await startAgain(engine, scope, provider, flow))
    if (onward) return onward
  }
  const attempt = { provider: provider.id, identify: () => identity, startedBy, callbackUrl }
  return returningTo(callbackUrl, scope, await completeSignIn(engine, scope, attempt))
}

/** The flow that `state` belongs to, for the one request that may complete it. */
async function claimFlow(
  engine: Engine,
  scope: Scope,
  provider: OAuthProvider,
  state: string,
): Promise<Flow | undefined> {
  const flow = await findFlow(engine, scope, provider, state)
  if (!flow || engine.ports.spentFlows.has(state)) return undefined
  engine.ports.spentFlows.set(state, true)
  return flow
}

/**
 * The flow is gone: its cookies expired, or another browser, or a tab that had finished already. Somebody who is signed
 * in goes on; anybody else starts again, once, and only if `state` shows that the flow was ours. Nothing is completed.
 */
async function recover(engine: Engine, scope: Scope, provider: OAuthProvider, state: string): Promise<Result> {
  const begunByAuthJs = await endForeignFlow(engine, scope, provider)
  const claims = await readState(engine, state)
  if (begunByAuthJs.length > 0 && !claims?.isRestart) {
    const restarted = await startOAuth(engine, scope, provider, { callbackUrl: scope.callbackUrl, isRestart: true })
    return withCookies(restarted, begunByAuthJs)
  }
  const cause = { provider: provider.id }
  if (claims?.provider !== provider.id) {
    return failure(new InvalidCheck("The state of this sign-in is missing or not ours", { cause }))
  }
  const callbackUrl = await targetOf(engine, scope, claims)
  const onward = await goOn(engine, scope, callbackUrl)
  if (onward) return onward
  if (scope.request.url.searchParams.has("error")) {
    return failure(new OAuthCallbackError("The provider answered with an error", { cause }))
  }
  if (isEmbedded(scope))
    return failure(new InvalidCheck("Only a page that somebody opens starts a sign-in again", { cause }))
  const { isRestart } = claims
  return (
    (await startAgain(engine, scope, provider, { callbackUrl, isRestart })) ??
    failure(
      new InvalidCheck("The cookies of this sign-in did not come back, twice: the browser may refuse them", { cause }),
    )
  )
}

/** Where a lost flow was to end, as far as its `state` or a cookie tells. */
async function targetOf(engine: Engine, { origin, callbackUrl }: Scope, { target }: StateClaims): Promise<string> {
  if (target === undefined) return callbackUrl
  return redirectTarget(engine, target.startsWith("/") ? origin + target : target, origin)
}

/** Whoever is signed in has no need of another sign-in. `undefined` for anybody else. */
async function goOn(engine: Engine, scope: Scope, callbackUrl: string): Promise<Result | undefined> {
  const read = await engine.sessions.read(scope.session, { kind: "visit" })
  await emitSession(engine, read)
  return read.session ? redirect(callbackUrl, read.cookies) : undefined
}

/** Once: a flow that was a second try is not tried a third time. */
async function startAgain(
  engine: Engine,
  scope: Scope,
  provider: OAuthProvider,
  { callbackUrl, isRestart }: Pick<Flow, "callbackUrl" | "isRestart">,
): Promise<Result | undefined> {
  return isRestart ? undefined : startOAuth(engine, scope, provider, { callbackUrl, isRestart: true })
}

/** Images and frames of other sites would start sign-ins that nobody has asked for (Fetch Metadata, `Sec-Fetch-Dest`). */
function isEmbedded({ request }: Scope): boolean {
  return !["document", null].includes(request.headers.get("sec-fetch-dest"))
}

/** Whoever tries again after a failure is to end where this flow would have ended, whatever other tabs have asked for. */
function returningTo(value: string, { settings, request }: Scope, result: Result): Result {
  const { name, options } = settings.callbackUrl
  if (result.kind !== "failure" || request.cookies[name] === value) return result
  return withCookies(result, [{ name, options, value }])
}

const answerParameters = ["code", "state", "iss", "error", "error_description", "user"]
/** Only other flows than ours bring these, and they must not get into an address. */
const foreignParameters = ["id_token", "access_token", "token", "response"]

/** `SameSite=Lax` cookies do not come with a cross-site POST, but they do with the GET that it is turned into. */
function repeatAsGet({ baseUrl, request }: Scope, { id }: OAuthProvider): Result {
  const body = request.body ?? {}
  // A browser posts a form. Anything else comes from a program.
  if (!request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) {
    return failure(new InvalidCheck("The answer was posted, but not as a form", { cause: { provider: id } }))
  }
  if (foreignParameters.some((name) => name in body)) {
    return failure(new InvalidCheck("A token was posted: this is no code flow", { cause: { provider: id } }))
  }
  const answer = new URLSearchParams()
  for (const name of answerParameters) {
    const value = body[name]
    if (typeof value === "string") answer.set(name, value)
  }
  return redirect(`${baseUrl}/callback/${id}?${answer}`, [], 303)
}

/** This deployment is the redirect proxy of another one: the answer goes there, unchanged. */
async function proxyHop(
  engine: Engine,
  scope: Scope,
  provider: OAuthProvider,
  state: string,
): Promise<string | undefined> {
  const { redirectProxyUrl } = provider
  if (redirectProxyUrl === undefined || new URL(redirectProxyUrl).origin !== scope.origin) return undefined
  const { origin } = (await readState(engine, state)) ?? {}
  if (origin === undefined || !isOtherDeployment(origin, scope.origin)) return undefined
  if (scope.request.method !== "GET") throw new InvalidCheck("A redirect proxy passes on no post")
  // Where the hosts of all deployments are listed, an answer goes to no other: a forged Host may have got into `state`.
  if (!isTrustedHost(new URL(origin), engine.trustHost)) throw new InvalidCheck("The deployment is none of `trustHost`")
  if (!(await readFreshState(engine, state))) throw new InvalidCheck("The state of this sign-in has expired")
  return `${origin}?${scope.request.url.searchParams}`
}

function isOtherDeployment(callback: string, origin: string): boolean {
  return URL.canParse(callback) && /^https?:$/.test(new URL(callback).protocol) && new URL(callback).origin !== origin
}
