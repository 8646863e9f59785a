/** The one thing that is needed of a Redis client: a way to send any command. */

/** A client or pool of `redis` (node-redis) 4 to 6. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>
}

/** A client of `ioredis` 5. */
export interface IoRedisClient {
  call(command: string, ...args: string[]): Promise<unknown>
}

export type RedisClient = NodeRedisClient | IoRedisClient

export type SendCommand = (command: string, ...args: readonly string[]) => Promise<unknown>

/**
 * `sendCommand` of ioredis is another thing, so `call` is looked for first.
 * @throws TypeError when it is neither client.
 */
export function commandsOf(client: RedisClient): SendCommand {
  if ("call" in client && typeof client.call === "function") return (command, ...args) => client.call(command, ...args)
  if ("sendCommand" in client && typeof client.sendCommand === "function")
    return (command, ...args) => client.sendCommand([command, ...args])
  throw new TypeError("RedisAdapter needs a client: that of createClient() of redis, or new Redis() of ioredis")
}
