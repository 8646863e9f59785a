/** `GET signin` shows how one can sign in; `POST signin/:provider` starts it. */
import type { Engine } from "../engine/engine.js"
import type { ResolvedProvider } from "../engine/providers.js"
import type { Scope } from "../engine/scope.js"
import { withQuery } from "../http/redirects.js"
import { page, redirect, type Result } from "../http/result.js"
import { ownPage } from "./page-frame.js"
import { signInPage } from "./sign-in-page.js"

export function showSignInPage(engine: Engine, scope: Scope, provider?: ResolvedProvider): Result {
  const { callbackUrl, baseUrl, request } = scope
  // Only a form may start a sign-in. Whoever followed a link to it gets the page that has the form.
  if (provider) return redirect(withQuery(`${baseUrl}/signin`, { callbackUrl }))
  const own = ownPage(engine.pages.signIn, scope, "signin")
  if (!own) return page(signInPage(engine, scope))
  const error = request.url.searchParams.get("error") ?? undefined
  return redirect(withQuery(own, { callbackUrl, error }))
}

export async function startSignIn(engine: Engine, scope: Scope, provider?: ResolvedProvider): Promise<Result> {
  if (provider?.type === "oauth" || provider?.type === "oidc") {
    // Loaded with the first sign-in that needs it: openid-client and jose are half of what an import costs.
    const { startOAuth } = await import("../sign-in/oauth/start.js")
    return startOAuth(engine, scope, provider, { callbackUrl: scope.callbackUrl, isRestart: false })
  }
  return redirect(`${scope.baseUrl}/signin`)
}
