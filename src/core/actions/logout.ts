/** `callback/:provider/logout`: where a provider says that its session has ended. */
import type { Engine } from "../engine/engine.js"
import type { AuthRequest } from "../http/request.js"
import { empty, type Result } from "../http/result.js"
import { returnFromLogout } from "../sign-out/return.js"

/** Takes in a browser that we had sent to the provider. */
export function returnFromProviderLogout(engine: Engine, request: AuthRequest, providerId = ""): Promise<Result> {
  return returnFromLogout(engine, request, providerId)
}

/** Hears the provider's server, which proves itself by the token that it posts. */
export async function endProviderSessions(engine: Engine, request: AuthRequest, providerId = ""): Promise<Result> {
  const provider = engine.providers.get(providerId)
  if (provider?.type !== "oidc" || !provider.backChannelLogout) return empty(404)
  // Loaded with the first logout token: most applications never get one.
  const { endByProvider } = await import("../sign-out/back-channel.js")
  return endByProvider(engine, request, provider)
}
