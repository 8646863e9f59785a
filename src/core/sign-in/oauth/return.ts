/** The browser comes back from an OAuth provider: to the flow it belongs to, or, if that is gone, to a fresh start. */
import type { Engine } from "../../engine/engine.js"
import type { OAuthProvider } from "../../engine/providers.js"
import type { Scope } from "../../engine/scope.js"
import { InvalidCheck, OAuthCallbackError } from "../../errors.js"
import { failure, redirect, withCookies, type Result } from "../../http/result.js"
import { completeSignIn } from "../pipeline.js"
import { endFlow, findFlow, readState } from "./flow.js"
import { identifyByCode } from "./identify.js"
import { startOAuth } from "./start.js"

export async function returnFromProvider(engine: Engine, scope: Scope, provider: OAuthProvider): Promise<Result> {
  const { request } = scope
  if (request.method === "POST" && provider.formPost) return repeatAsGet(scope, provider)
  const answer = request.url.searchParams
  const state = answer.get("state") ?? ""
  const hop = await proxyHop(engine, scope, provider, state)
  if (hop !== undefined) return redirect(hop)

  const flow = await findFlow(engine, scope, provider, state)
  const result = flow
    ? await completeSignIn(engine, scope, {
        provider: provider.id,
        identify: () => identifyByCode(engine, provider, flow, answer),
        callbackUrl: flow.callbackUrl,
      })
    : await recover(engine, scope, provider, state)
  // Done or failed: a flow is used once.
  return withCookies(result, await endFlow(scope, state))
}

/**
 * The flow is gone: its cookies expired, or another browser, or a tab that had finished already. Somebody who is signed
 * in goes on; anybody else starts again, once, and only if `state` shows that the flow was ours. Nothing is completed.
 */
async function recover(engine: Engine, scope: Scope, provider: OAuthProvider, state: string): Promise<Result> {
  const claims = await readState(engine, state)
  if (claims?.provider !== provider.id) {
    return failure(
      new InvalidCheck("The state of this sign-in is missing or not ours", { cause: { provider: provider.id } }),
    )
  }
  const { session } = await engine.sessions.read(scope.session, { kind: "visit" })
  if (session) return redirect(scope.callbackUrl)
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

/** `SameSite=Lax` cookies do not come with a cross-site POST, but they do with the GET that it is turned into. */
function repeatAsGet({ baseUrl, request }: Scope, { id }: OAuthProvider): Result {
  const answer = new URLSearchParams()
  for (const name of answerParameters) {
    const value = request.body?.[name]
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
  if (origin === undefined || new URL(origin).origin === scope.origin) return undefined
  return `${origin}?${scope.request.url.searchParams}`
}
