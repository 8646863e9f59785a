/** `callback/:provider`: where a sign-in is completed. */
import type { Engine } from "../engine/engine.js"
import type { ResolvedProvider } from "../engine/providers.js"
import type { Scope } from "../engine/scope.js"
import { InvalidProvider } from "../errors.js"
import { empty, failure, type Result } from "../http/result.js"
import { identifyByCredentials } from "../sign-in/credentials/identify.js"
import { completeSignIn } from "../sign-in/pipeline.js"
import { unreachable } from "../unreachable.js"

export async function handleCallback(engine: Engine, scope: Scope, provider?: ResolvedProvider): Promise<Result> {
  if (!provider) return failure(new InvalidProvider("The callback action needs a provider"))
  switch (provider.type) {
    case "oauth":
    case "oidc": {
      // Loaded with the first sign-in that needs it: openid-client and jose are half of what an import costs.
      const { returnFromProvider } = await import("../sign-in/oauth/return.js")
      return returnFromProvider(engine, scope, provider)
    }
    case "credentials": {
      if (scope.request.method !== "POST") return empty(405, { allow: "POST" })
      const identify = () => identifyByCredentials(provider, scope.request)
      return completeSignIn(engine, scope, {
        provider: provider.id,
        identify,
        startedBy: undefined,
        callbackUrl: scope.callbackUrl,
      })
    }
    default:
      return unreachable(provider, "kind of provider")
  }
}
