/** Chooses the session strategy. Nothing else knows which one it is. */
import type { AuthConfig } from "../config/config.js"
import { databaseSessions, type DatabaseSessionOptions } from "./database.js"
import { jwtSessions, type JwtSessionOptions } from "./jwt.js"
import type { SessionStrategy } from "./strategy.js"

export type SessionsOptions = JwtSessionOptions & Omit<DatabaseSessionOptions, "store">

/** Spec, "Session options": `database` when an adapter is set, unless the configuration says otherwise. */
export function createSessions(
  { session, adapter }: Pick<AuthConfig, "session" | "adapter">,
  options: SessionsOptions,
): SessionStrategy {
  const { store } = options
  const strategy = session?.strategy ?? (adapter ? "database" : "jwt")
  return strategy === "database" && store ? databaseSessions({ ...options, store }) : jwtSessions(options)
}
