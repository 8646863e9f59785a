/** `callback/:provider/logout`: where a provider says that its session has ended. */
import type { Engine } from "../engine/engine.js"
import type { AuthRequest } from "../http/request.js"
import { empty, type Result } from "../http/result.js"
import { returnFromLogout } from "../sign-out/return.js"

/**
 * `GET` brings back a browser that we had sent there; `POST` comes from the provider's server, and proves itself by the
 * token in it. Neither reads or sets a cookie.
 */
export async function handleLogout(engine: Engine, request: AuthRequest, providerId: string): Promise<Result> {
  switch (request.method) {
    case "GET":
      return returnFromLogout(engine, request, providerId)
    case "POST": {
      const provider = engine.providers.get(providerId)
      if (provider?.type !== "oidc" || !provider.backChannelLogout) return empty(404)
      // Loaded with the first logout token: most applications never get one.
      const { endByProvider } = await import("../sign-out/back-channel.js")
      return endByProvider(engine, request, provider)
    }
    default:
      return empty(405, { allow: "GET, POST" })
  }
}
