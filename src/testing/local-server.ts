/** Servers on 127.0.0.1, for as long as a test or a developer needs them. */
import type { Server } from "node:http"

/** @throws Error when `NODE_ENV` is `production`: nothing of the kit belongs there. */
export function refuseProduction(what: string): void {
  if (process.env.NODE_ENV === "production") {
    throw new Error(`${what} signs in anybody, so it does not start with NODE_ENV=production`)
  }
}

/** Listens on `port`, or any free one for 0; resolves to the host and port of its address. */
export async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const address = server.address()
  if (address === null || typeof address === "string") {
    throw new Error(`Expected to listen on a TCP port, got ${address}`)
  }
  return `127.0.0.1:${address.port}`
}

/** Stops listening and closes every connection at once. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** Whether `uri` leads to this machine, over http or https (RFC 8252, section 7.3, and `localhost` in any form). */
export function isLoopbackUri(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { hash, hostname, protocol } = new URL(uri)
  const isWeb = protocol === "http:" || protocol === "https:"
  return isWeb && hash === "" && /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
