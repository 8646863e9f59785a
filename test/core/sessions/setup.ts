/** A token session strategy with a clock that is set by hand, and the browser it talks to. */
import type { CallbacksOptions } from "../../../src/core/config/config.js"
import { decode, encode, type JWTOptions } from "../../../src/core/crypto/jwt.js"
import { createKeyRing, type KeyRing } from "../../../src/core/crypto/key-ring.js"
import { cookieSettings, type Cookies, type CookieWrite } from "../../../src/core/http/cookies.js"
import { jwtSessions } from "../../../src/core/sessions/jwt.js"
import type { SessionContext, SessionStrategy } from "../../../src/core/sessions/strategy.js"
import type { HandMadeClock } from "../../support/core-ports.js"
import { recordingLogger, type RecordingLogger } from "../../support/core-recording-logger.js"

export const day = 24 * 60 * 60
export const start = 1_700_000_000
export const maxAge = 30 * day
export const setting = cookieSettings(true).sessionToken

export interface SetUp {
  /** Milliseconds. */
  readonly clock: HandMadeClock
  readonly keys: KeyRing
  readonly logger: RecordingLogger
  readonly sessions: SessionStrategy
}

export function setUp({
  callbacks = {},
  jwt = {},
  updateAge = day,
  secrets = ["secret"],
}: {
  readonly callbacks?: Pick<CallbacksOptions, "jwt" | "session">
  readonly jwt?: Partial<JWTOptions>
  readonly updateAge?: number
  readonly secrets?: readonly string[]
} = {}): SetUp {
  const clock = { now: start * 1000 }
  const logger = recordingLogger()
  const keys = createKeyRing(secrets)
  const sessions = jwtSessions({
    keys,
    logger,
    store: undefined,
    callbacks,
    maxAge,
    updateAge,
    jwt: { secret: secrets, maxAge, encode, decode, ...jwt },
    now: () => clock.now,
  })
  return { clock, keys, logger, sessions }
}

export function at(cookies: Cookies, own = setting): SessionContext {
  return { cookies, setting: own }
}

/** The cookies that a browser sends after it got `writes`. */
export function cookiesAfter(writes: readonly CookieWrite[], before: Cookies = {}): Cookies {
  const held = new Map(Object.entries(before))
  for (const { name, value, options } of writes) {
    if (options.maxAge === 0) held.delete(name)
    else held.set(name, value)
  }
  return Object.fromEntries(held)
}

/** The cookie of a session that was issued at `issuedAt`, in seconds. */
export async function sessionCookie(
  { keys }: Pick<SetUp, "keys">,
  claims: Readonly<Record<string, unknown>> = { name: "Ann", email: "ann@x.example", picture: "p", sub: "1" },
  issuedAt = start,
): Promise<Cookies> {
  return { [setting.name]: await keys.seal({ ...claims }, setting.name, issuedAt, maxAge) }
}

/** The claims inside the session cookie that an answer sets. */
export async function issuedClaims({ keys, clock }: SetUp, writes: readonly CookieWrite[]) {
  const token = writes.find(({ name }) => name === setting.name)?.value ?? ""
  return keys.unseal(token, setting.name, clock.now / 1000)
}

export const isoAfter = (seconds: number) => new Date((start + seconds) * 1000).toISOString()
