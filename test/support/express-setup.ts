/** Configurations and surroundings for tests of the Express package. */
import { createExpressAuth, type AuthMiddleware } from "../../src/express/express-auth.js"
import type { ExpressPorts } from "../../src/express/instance.js"
import type { AuthConfig, User } from "../../src/index.js"
import Credentials from "../../src/providers/credentials.js"

export const secret = "a secret that only these tests know"

/** The moment at which the clock stands when a test begins. */
export const start = Date.UTC(2026, 4, 1, 12)
export const day = 24 * 60 * 60

const people: Readonly<Record<string, User>> = {
  ada: { id: "1", name: "Ada Lovelace", email: "ada@example.com" },
  grace: { id: "2", name: "Grace Hopper", email: "grace@example.com" },
}

export interface Setup {
  /** Everything that reached `logger.error`, in order. */
  readonly logged: Error[]
  readonly ports: ExpressPorts
  /** Lets time pass. */
  wait(seconds: number): void
  /** A configuration with one credentials provider, which takes any name in `people` and asks for no password. */
  config(overrides?: Partial<AuthConfig>): AuthConfig
  auth(overrides?: Partial<AuthConfig>): AuthMiddleware
}

/** A fresh set of ports, with a clock that stands still and no network. */
export function setUp(env: ExpressPorts["env"] = {}): Setup {
  const logged: Error[] = []
  const clock = { now: start }
  const ports: ExpressPorts = {
    env,
    now: () => clock.now,
    fetch: () => Promise.reject(new Error("no network in this test")),
  }
  const config = (overrides: Partial<AuthConfig> = {}): AuthConfig => ({
    secret,
    providers: [passwords()],
    logger: { error: (error) => void logged.push(error), warn: () => undefined },
    ...overrides,
  })
  return {
    logged,
    ports,
    wait: (seconds) => {
      clock.now += seconds * 1000
    },
    config,
    auth: (overrides) => createExpressAuth(config(overrides), ports),
  }
}

/** The credentials provider of these tests. */
export function passwords(authorize: (credentials: Readonly<Record<string, unknown>>) => User | null = findPerson) {
  return Credentials({ credentials: { username: { label: "Name" } }, authorize })
}

export function findPerson({ username }: Readonly<Record<string, unknown>>): User | null {
  return people[String(username)] ?? null
}

/** `jwt.encode` and `jwt.decode` that count their calls, and write tokens that anybody can read. */
export function countedTokens() {
  const calls = { encode: 0, decode: 0 }
  const jwt: NonNullable<AuthConfig["jwt"]> = {
    encode: ({ token }) => {
      calls.encode += 1
      return Buffer.from(JSON.stringify({ ...token, iat: start / 1000 })).toString("base64url")
    },
    decode: ({ token }) => {
      calls.decode += 1
      return JSON.parse(Buffer.from(token ?? "", "base64url").toString()) as Record<string, unknown>
    },
  }
  return { calls, jwt }
}

/** Whether a line of `Set-Cookie` carries a session token. */
export function isSessionCookie(line: string): boolean {
  return /^(?:__Secure-)?authjs\.session-token(?:\.\d+)?=/.test(line)
}
