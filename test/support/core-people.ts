/** A site that people enter with a name: the quickest way to a session. */
import Credentials from "../../src/providers/credentials.js"
import type { AuthConfig } from "../../src/core/index.js"
import type { Ports } from "../../src/core/engine/engine.js"
import type { Awaitable, User } from "../../src/core/types.js"
import { configOf, openBrowser, testPorts, type Browser } from "./core-browser.js"
import { captureLog, type Log } from "./core-log.js"

export const sessionCookie = "__Secure-authjs.session-token"

/** Lets everybody in under the name that they give. */
export function byName(
  authorize: (credentials: Readonly<Record<string, unknown>>, request: Request) => Awaitable<User | null> = ({
    name,
  }) => (typeof name === "string" ? { id: "42", name, email: `${name}@example.com`, image: null } : null),
) {
  return Credentials({ credentials: { name: { label: "Name" } }, authorize })
}

export interface People {
  readonly browser: Browser
  readonly log: Log
  readonly config: AuthConfig
  another(): Browser
}

export function openPeople(given: Partial<AuthConfig> = {}, ports: Partial<Ports> = {}, origin?: string): People {
  const log = captureLog()
  const config = configOf({ providers: [byName()], logger: log.logger, ...given })
  const another = () => openBrowser(config, testPorts(ports), origin)
  return { log, config, another, browser: another() }
}

/** Signs in by the built-in form. */
export function enter(browser: Browser, form: Readonly<Record<string, string>> = {}): Promise<Response> {
  return browser.submit("callback/credentials", { name: "ann", ...form })
}
