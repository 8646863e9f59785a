/** What every option is when it is left out. */
import { defaultMaxAge } from "../crypto/jwt.js"
import { sameOriginRedirect } from "../http/redirects.js"
import type { AuthConfig, CallbacksOptions } from "./config.js"

/** Spec, "Session options": `database` when an adapter is set, unless the configuration says otherwise. */
export function strategyOf({ session, adapter }: Pick<AuthConfig, "session" | "adapter">): "jwt" | "database" {
  return session?.strategy ?? (adapter ? "database" : "jwt")
}

export const defaults = {
  basePath: "/auth",
  session: { maxAge: defaultMaxAge, updateAge: 24 * 60 * 60, generateSessionToken: () => crypto.randomUUID() },
  timeouts: { adapter: 10, provider: 10 },
  theme: { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" },
  callbacks: { signIn: () => true, redirect: sameOriginRedirect },
} as const satisfies Partial<AuthConfig> & { callbacks: Pick<CallbacksOptions, "signIn" | "redirect"> }
