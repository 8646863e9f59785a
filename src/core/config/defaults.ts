/** What every option is when it is left out. */
import { defaultMaxAge } from "../crypto/jwt.js"
import { sameOriginRedirect } from "../http/redirects.js"
import type { AuthConfig, CallbacksOptions } from "./config.js"

export const defaults = {
  basePath: "/auth",
  session: { maxAge: defaultMaxAge, updateAge: 24 * 60 * 60, generateSessionToken: () => crypto.randomUUID() },
  timeouts: { adapter: 10, provider: 10 },
  theme: { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" },
  callbacks: { signIn: () => true, redirect: sameOriginRedirect },
} as const satisfies Partial<AuthConfig> & { callbacks: Pick<CallbacksOptions, "signIn" | "redirect"> }
