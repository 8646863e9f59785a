/** Chooses the session strategy. Nothing else knows which one it is. */
import type { AuthConfig } from "../config/config.js"
import { strategyOf } from "../config/defaults.js"
import { databaseSessions, type DatabaseSessionOptions } from "./database.js"
import { jwtSessions, type JwtSessionOptions } from "./jwt.js"
import type { SessionStrategy } from "./strategy.js"

export type SessionsOptions = JwtSessionOptions & Omit<DatabaseSessionOptions, "store">

export function createSessions(
  config: Pick<AuthConfig, "session" | "adapter">,
  options: SessionsOptions,
): SessionStrategy {
  const { store } = options
  return strategyOf(config) === "database" && store ? databaseSessions({ ...options, store }) : jwtSessions(options)
}
