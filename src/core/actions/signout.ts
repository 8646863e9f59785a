/** `GET signout` asks; `POST signout` ends the session, and with `federated` that of the provider, too. */
import type { Engine } from "../engine/engine.js"
import { emit } from "../engine/events.js"
import { clearKept } from "../provider-tokens/kept.js"
import type { Scope } from "../engine/scope.js"
import { withQuery } from "../http/redirects.js"
import { failure, page, redirect, type Result } from "../http/result.js"
import type { SignOutPage } from "../pages/models.js"
import { oidcProvider } from "../sign-out/id-token.js"
import { ownPage, pageFrame } from "./page-frame.js"

export function showSignOutPage(engine: Engine, scope: Scope): Result {
  const own = ownPage(engine.pages.signOut, scope, "signout")
  const { searchParams } = scope.request.url
  const federated = isFederated(searchParams.get("federated"))
  const provider = oidcProvider(engine, searchParams.get("provider"))?.id
  if (own) return redirect(federated ? withQuery(own, { federated: "true", provider }) : own)
  return page({
    view: "signout",
    ...pageFrame(engine.theme, scope),
    csrfToken: scope.csrf.token,
    action: `${scope.baseUrl}/signout`,
    callbackUrl: scope.callbackUrl,
    ...(federated && federatedPart(engine, provider)),
  })
}

/** Nothing where no provider has a session that could end: the page must not promise it. */
function federatedPart(engine: Engine, asked: string | undefined): Pick<SignOutPage, "federated"> {
  const all = [...engine.providers.keys()].flatMap((id) => oidcProvider(engine, id) ?? [])
  const [candidate, ...others] = asked === undefined ? all : all.filter(({ id }) => id === asked)
  if (!candidate) return {}
  const name = others.length === 0 ? { name: candidate.name } : {}
  return { federated: { ...name, ...(asked !== undefined && { provider: asked }) } }
}

/** As a form, a query or JSON has it. */
const yes: ReadonlySet<unknown> = new Set([true, "true", "1", "on"])

function isFederated(given: unknown): boolean {
  return yes.has(given)
}

export async function signOut(engine: Engine, scope: Scope): Promise<Result> {
  if (!isFederated(scope.request.body?.["federated"])) return endSession(engine, scope)
  // Loaded when it is needed: openid-client and jose are half of what an import costs.
  const { endSessionUrl, prepareLogoutRequest } = await import("../sign-out/federated.js")
  const logout = await prepareLogoutRequest(engine, scope)
  // Whatever becomes of the provider's session, ours is over.
  const ended = await endSession(engine, scope)
  if (ended.kind !== "redirect") return ended
  const to = await endSessionUrl(engine, scope, logout)
  return to === undefined ? ended : { ...ended, to }
}

async function endSession(engine: Engine, scope: Scope): Promise<Result> {
  const { event, cookies: ended, failure: error } = await engine.sessions.end(scope.session)
  const cookies = [...ended, ...clearKept(scope)]
  if (event) await emit(engine, "signOut", event)
  return error ? failure(error, cookies) : redirect(scope.callbackUrl, cookies)
}
