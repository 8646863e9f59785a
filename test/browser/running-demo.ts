import { createServer, type Server } from "node:http"
import { createDemo } from "../../examples/demo/app.js"
import { people } from "../../examples/demo/people.js"
import { SqliteAdapter } from "../../src/adapters/sql.js"
import { startOpenIDProvider } from "../../src/testing/index.js"

export interface RunningDemo {
  /** `http://localhost:<port>`. */
  readonly origin: string
  readonly port: number
  readonly issuer: string
  close(): Promise<void>
}

export interface DemoSettings {
  /** Takes the local provider's place. */
  readonly issuer?: string
  /** Path of the database; in memory if left out. */
  readonly database?: string
  /** A free one if left out. */
  readonly port?: number
}

/** Starts the demo and its local OpenID provider. */
export async function startDemo({ issuer, database = ":memory:", port = 0 }: DemoSettings = {}): Promise<RunningDemo> {
  const accounts = people.map(({ username, name, email, picture, role }) => ({
    sub: username,
    name,
    email,
    picture,
    role,
  }))
  const provider = await startOpenIDProvider({ login: "page", accounts })
  const adapter = SqliteAdapter(database)
  const secret = "a secret for the browser tests only"
  const server = createServer(createDemo({ ...provider, issuer: issuer ?? provider.issuer, adapter, secret, env: {} }))
  const listening = await listen(server, port)
  return {
    port: listening,
    origin: `http://localhost:${listening}`,
    issuer: provider.issuer,
    close: async () => {
      await Promise.all([provider.close(), stop(server)])
      adapter.close()
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error(`Expected a TCP port, got ${address}`)
  return address.port
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
