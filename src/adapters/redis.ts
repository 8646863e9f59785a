/** Sessions and verification tokens in Redis, which forgets them by itself when they expire. */
import type { Adapter, AdapterSession, Revocations, VerificationToken } from "./contract.js"
import {
  commandsOf,
  type IoRedisClient,
  type NodeRedisClient,
  type RedisClient,
  type SendCommand,
} from "./redis/client.js"
import { encodeName, encodeSession, encodeToken, millisecondsOf } from "./redis/encoding.js"
import {
  decodeCount,
  decodeDone,
  decodeEnded,
  decodeMoment,
  decodeNames,
  decodeSession,
  decodeToken,
  type VerificationKey,
} from "./redis/replies.js"
import { createSessionScript, deleteSessionScript, deleteSessionsScript, updateSessionScript } from "./redis/scripts.js"

export type { IoRedisClient, NodeRedisClient, RedisClient }

export interface RedisAdapterOptions {
  /**
   * What the names of all keys begin with. Default `latchkey:`. A cluster needs a hash tag in it, as in `{latchkey}:`,
   * because some changes touch two keys at once.
   */
  readonly keyPrefix?: string | undefined
}

/** The methods that Redis takes over from the adapter that it is spread over. */
export type RedisMethods = Pick<
  Required<Adapter>,
  | "createSession"
  | "getSessionAndUser"
  | "updateSession"
  | "deleteSession"
  | "listSessionsByUserId"
  | "deleteSessionsByUserId"
  | "createVerificationToken"
  | "useVerificationToken"
>

/**
 * Sessions and verification tokens in Redis 6.2 or later, for several processes that share them. Users and accounts stay
 * in the adapter that it is spread over:
 *
 * ```ts
 * const redis = createClient({ url: process.env.REDIS_URL })
 * await redis.connect()
 * const adapter = { ...PostgresAdapter(pool), ...RedisAdapter(redis) }
 * ```
 *
 * Each record expires in Redis when it should; one that has expired already is not stored. Fields beyond the contract's
 * come back as they were if JSON can hold them or they are dates. Deleting a user leaves the sessions: each is deleted when
 * it is read next, and signs nobody in, as long as the ids of deleted users are not given to others.
 *
 * Where Redis cannot be reached, or a record is not what was stored, the methods throw: an outage signs nobody out. They
 * set no time limits; that is up to the client and to Latchkey. Let Redis evict nothing (`maxmemory-policy noeviction`):
 * who loses the record is signed out.
 *
 * @param client A connected client of `redis` 4 to 6 or of `ioredis` 5. Connecting, reconnecting and closing are its own.
 * @throws TypeError when it is neither.
 */
export function RedisAdapter(client: RedisClient, options: RedisAdapterOptions = {}): RedisMethods {
  const { keyPrefix = "latchkey:" } = options
  const send = commandsOf(client)
  return { ...sessionMethods(send, keyPrefix), ...verificationMethods(send, keyPrefix) }
}

/**
 * A memory of ended sessions for `session.revocations`, which every process shares. Each entry expires by itself. Where
 * Redis cannot be reached the methods throw, and whoever's session may have ended gets an error until it can.
 *
 * @param client As for {@link RedisAdapter}.
 * @throws TypeError when it is none.
 */
export function RedisRevocations(client: RedisClient, options: RedisAdapterOptions = {}): Revocations {
  const { keyPrefix = "latchkey:" } = options
  const send = commandsOf(client)
  const nameOf = (key: string): string => `${keyPrefix}revoked:${key}`
  return {
    async revoke(key, at, expires) {
      decodeDone(await send("SET", nameOf(key), millisecondsOf(at), "PXAT", millisecondsOf(expires)))
    },
    async revokedAt(keys) {
      // One by one: in a cluster, they are in different places.
      const replies = await Promise.all(keys.map((key) => send("GET", nameOf(key))))
      const moments = replies.flatMap((reply) => decodeMoment(reply)?.getTime() ?? [])
      return moments.length === 0 ? null : new Date(Math.max(...moments))
    },
  }
}

function sessionMethods(send: SendCommand, keyPrefix: string) {
  const sessionKey = (name: string): string => `${keyPrefix}session:${name}`
  const indexKey = (name: string): string => `${keyPrefix}user:${name}`
  const run = (script: string, keys: readonly [string, string], args: readonly string[] = []): Promise<unknown> =>
    send("EVAL", script, "2", ...keys, ...args)
  const change = (script: string, sessionToken: string, fields: readonly string[] = []): Promise<unknown> => {
    const name = encodeName(sessionToken)
    return run(script, [sessionKey(name), indexKey("")], [name, ...fields])
  }
  const read = async (sessionToken: string): Promise<AdapterSession | null> =>
    decodeSession(await send("HGETALL", sessionKey(encodeName(sessionToken))), sessionToken)
  const end = async (sessionToken: string): Promise<AdapterSession | null> =>
    decodeEnded(await change(deleteSessionScript, sessionToken), sessionToken)

  return {
    async createSession(session: AdapterSession): Promise<AdapterSession> {
      const created = decodeCount(await change(createSessionScript, session.sessionToken, encodeSession(session)))
      if (created === 0) throw new Error("This session exists already")
      return session
    },
    async getSessionAndUser(this: Adapter, sessionToken: string) {
      if (!this.getUser) throw new Error(needsUsers)
      const session = await read(sessionToken)
      if (!session) return null
      const user = await this.getUser(session.userId)
      if (user) return { session, user }
      await end(sessionToken)
      return null
    },
    async updateSession(session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">) {
      const { sessionToken } = session
      return decodeSession(await change(updateSessionScript, sessionToken, encodeSession(session)), sessionToken)
    },
    deleteSession: end,
    async listSessionsByUserId(userId: string): Promise<AdapterSession[]> {
      const tokens = decodeNames(await send("ZRANGE", indexKey(encodeName(userId)), "0", "-1"))
      const found = await Promise.all(tokens.map(read))
      return found.flatMap((session) => session ?? [])
    },
    async deleteSessionsByUserId(userId: string): Promise<number> {
      return decodeCount(await run(deleteSessionsScript, [indexKey(encodeName(userId)), sessionKey("")]))
    },
  }
}

const needsUsers =
  "RedisAdapter stores sessions and verification tokens: spread it over an adapter that has users, " +
  "as in { ...PostgresAdapter(pool), ...RedisAdapter(client) }, and call getSessionAndUser as a method of the result"

function verificationMethods(send: SendCommand, keyPrefix: string) {
  const keyOf = ({ identifier, token }: VerificationKey): string =>
    `${keyPrefix}verification:${JSON.stringify([identifier, token])}`

  return {
    async createVerificationToken(token: VerificationToken): Promise<VerificationToken> {
      const expires = millisecondsOf(token.expires)
      if (token.expires.getTime() <= Date.now()) return token
      decodeDone(await send("SET", keyOf(token), encodeToken(token), "PXAT", expires))
      return token
    },
    async useVerificationToken(key: VerificationKey): Promise<VerificationToken | null> {
      return decodeToken(await send("GETDEL", keyOf(key)), key)
    },
  }
}
