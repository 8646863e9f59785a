/** A site that people enter with a name, whose sessions are records of a store that can be watched. */
import type { AuthConfig } from "../../src/core/index.js"
import { byName, openPeople, sessionCookie, type People } from "./core-people.js"
import { watchedAdapter, type MethodName, type WatchedAdapter } from "./database-adapter.js"
import type { Browser } from "./core-browser.js"

export interface DatabasePeople extends People, WatchedAdapter {
  /** Names of the methods called since the last look, but for the sweep, which goes by the clock. */
  callsSince(): readonly MethodName[]
  /** Tokens of the sessions that the person of a name has. */
  tokensOf(name: string): readonly string[]
}

/** Everybody is a person of their own: `ann` has the id `id of ann`. */
export const anybody = byName(({ name }) =>
  typeof name === "string" && name !== ""
    ? { id: `id of ${name}`, name, email: `${name}@example.com`, image: null }
    : null,
)

/** Seconds: short, so that a method that never answers holds no test up. */
export const timeouts = { adapter: 0.05 }

export function openDatabasePeople(
  given: Partial<AuthConfig> = {},
  watched: WatchedAdapter = watchedAdapter(),
): DatabasePeople {
  const { adapter, real, calls } = watched
  const people = openPeople({ providers: [anybody], adapter, timeouts, ...given })
  return {
    ...people,
    ...watched,
    callsSince: () => calls.splice(0).flatMap(({ method }) => (method === "deleteExpired" ? [] : [method])),
    tokensOf: (name) =>
      (real.listSessionsByUserId(`id of ${name}`) as { sessionToken: string }[]).map(
        ({ sessionToken }) => sessionToken,
      ),
  }
}

/** The session token that a browser holds. */
export function tokenIn({ jar }: Browser): string | undefined {
  return jar.get(sessionCookie)
}
