import { createServer, type Server } from "node:http"
import { createDemo } from "../../examples/demo/app.js"
import { people } from "../../examples/demo/people.js"
import { startOpenIDProvider } from "../../src/testing/index.js"

export interface RunningDemo {
  /** `http://localhost:<port>`. */
  readonly origin: string
  readonly issuer: string
  close(): Promise<void>
}

/** Starts the demo and its local OpenID provider, each on a free port. Another `issuer` takes the provider's place. */
export async function startDemo(other: { readonly issuer?: string } = {}): Promise<RunningDemo> {
  const accounts = people.map(({ username, name, email, picture, role }) => ({
    sub: username,
    name,
    email,
    picture,
    role,
  }))
  const provider = await startOpenIDProvider({ login: "page", accounts })
  const server = createServer(
    createDemo({ ...provider, ...other, secret: "a secret for the browser tests only", env: {} }),
  )
  const port = await listen(server)
  return {
    origin: `http://localhost:${port}`,
    issuer: provider.issuer,
    close: async () => {
      await Promise.all([provider.close(), stop(server)])
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
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
