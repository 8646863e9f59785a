/** How somebody signs out at the local provider: OpenID Connect RP-Initiated Logout 1.0 and Back-Channel Logout 1.0. */
import type { IncomingMessage } from "node:http"
import type { Context, LogoutPages, Provider } from "oidc-provider"
import type { OpenIDLogin } from "./openid-accounts.js"
import type { OpenIDLogout } from "./openid-options.js"
import { putPage, renderLogout, renderNotice } from "./openid-pages.js"
import type { OpenIDStore } from "./openid-store.js"

export const logoutPages: LogoutPages = {
  logoutSource: async (context, form) => putPage(context, renderLogout(form, "op.logoutForm")),
  postLogoutSuccessSource: async (context) =>
    putPage(context, renderNotice("You have signed out", "Of the local provider; you can close this page.")),
}

const confirmPath = "/session/end/confirm"

/**
 * Ends a session without a page where there is nothing to ask: under `automatic`, for whoever an ID token names, for
 * nobody, and where somebody has just chosen to be another one.
 */
export function finishAtOnce(provider: Provider, login: OpenIDLogin): void {
  provider.use(async (context, next) => {
    await next()
    const secret = context.oidc?.session?.state?.secret
    if (secret === undefined || context.status !== 200 || !hasNothingToAsk(context, login)) return
    context.redirect(`${confirmPath}?${new URLSearchParams({ xsrf: secret, logout: "yes" }).toString()}`)
  })
}

function hasNothingToAsk({ oidc, path }: Context, login: OpenIDLogin): boolean {
  const { accountId, state } = oidc?.session ?? {}
  if (oidc?.route === "resume") return state?.postLogoutRedirectUri?.endsWith(path) === true
  if (oidc?.route !== "end_session") return false
  return login === "automatic" || accountId === undefined || accountId === oidc.entities.IdTokenHint?.payload.sub
}

/** Turns the redirect of {@link finishAtOnce}, which a browser follows with GET, into the POST that it stands for. */
export function takeConfirmation(request: IncomingMessage): void {
  const [path, query = ""] = (request.url ?? "").split("?")
  if (request.method !== "GET" || path !== confirmPath) return
  const form = Buffer.from(query)
  request.method = "POST"
  request.url = confirmPath
  request.headers["content-type"] = "application/x-www-form-urlencoded"
  request.headers["content-length"] = String(form.length)
  request.unshift(form)
}

/** Ends the provider's sessions of a person, and tells the applications. Resolves when all have answered. */
export async function endSessions(
  provider: Provider,
  store: OpenIDStore,
  sub: string,
): Promise<readonly OpenIDLogout[]> {
  const found = await Promise.all(store.sessionsOf(sub).map((id) => provider.Session.find(id)))
  const sessions = found.filter((session) => session !== undefined)
  const sent = sessions.flatMap((session) =>
    Object.entries(session.authorizations ?? {}).map(([clientId, { sid }]) => tell(provider, clientId, sub, sid)),
  )
  const logouts = await Promise.all(sent)
  await Promise.all(sessions.map((session) => session.destroy()))
  return logouts.filter((logout) => logout !== undefined)
}

async function tell(provider: Provider, clientId: string, sub: string, sid: string): Promise<OpenIDLogout | undefined> {
  const client = await provider.Client.find(clientId)
  if (client?.backchannelLogoutUri === undefined) return undefined
  return client.backchannelLogout(sub, sid).then(
    () => ({ clientId, ok: true }),
    () => ({ clientId, ok: false }),
  )
}
