/** The browser comes back from an OAuth provider: to the flow it belongs to, or, if that is gone, to a fresh start. */
import type { Engine } from "../../engine/engine.js"
import { emitSession } from "../../engine/events.js"
import type { OAuthProvider } from "../../engine/providers.js"
import type { Scope } from "../../engine/scope.js"
import { isTrustedHost } from "../../http/origin.js"
import { InvalidCheck, OAuthCallbackError } from "../../errors.js"
import { failure, redirect, withCookies, type Result } from "../../http/result.js"
import { completeSignIn } from "../pipeline.js"
import { endFlow, endForeignFlow, findFlow, readFreshState, readState, type Flow } from "./flow.js"
import { identifyByCode } from "./identify.js"
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
    ? await completeSignIn(engine, scope, {
        provider: provider.id,
        identify: () => identifyByCode(engine, provider, flow, answer),
        startedBy: flow.startedBy,
        callbackUrl: flow.callbackUrl,
      })
    : await recover(engine, scope, provider, state)
  // Done or failed: a flow is used once.
  return withCookies(result, await endFlow(scope, state))
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
  if (begunByAuthJs.length > 0) {
    const restarted = await startOAuth(engine, scope, provider, { callbackUrl: scope.callbackUrl, isRestart: true })
    return withCookies(restarted, begunByAuthJs)
  }
  const claims = await readState(engine, state)
  if (claims?.provider !== provider.id) {
    return failure(
      new InvalidCheck("The state of this sign-in is missing or not ours", { cause: { provider: provider.id } }),
    )
  }
  const read = await engine.sessions.read(scope.session, { kind: "visit" })
  await emitSession(engine, read)
  if (read.session) return redirect(scope.callbackUrl, read.cookies)
  if (scope.request.url.searchParams.has("error")) {
    return failure(new OAuthCallbackError("The provider answered with an error", { cause: { provider: provider.id } }))
  }
  if (claims.isRestart) {
    return failure(
      new InvalidCheck("The cookies of this sign-in did not come back, twice: the browser may refuse them", {
        cause: { provider: provider.id },
      }),
    )
  }
  return startOAuth(engine, scope, provider, { callbackUrl: scope.callbackUrl, isRestart: true })
}

const answerParameters = ["code", "state", "iss", "error", "error_description", "user"]
/** Only other flows than ours bring these, and they must not get into an address. */
const foreignParameters = ["id_token", "access_token", "token", "response"]

/** `SameSite=Lax` cookies do not come with a cross-site POST, but they do with the GET that it is turned into. */
function repeatAsGet({ baseUrl, request }: Scope, { id }: OAuthProvider): Result {
  const body = request.body ?? {}
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
  // Where the hosts of all deployments are listed, an answer goes to no other: a forged Host may have got into `state`.
  if (!isTrustedHost(new URL(origin), engine.trustHost)) throw new InvalidCheck("The deployment is none of `trustHost`")
  if (!(await readFreshState(engine, state))) throw new InvalidCheck("The state of this sign-in has expired")
  return `${origin}?${scope.request.url.searchParams}`
}

function isOtherDeployment(callback: string, origin: string): boolean {
  return URL.canParse(callback) && /^https?:$/.test(new URL(callback).protocol) && new URL(callback).origin !== origin
}
