/** Real servers on free ports of this machine, closed after each test. */
import { afterEach } from "@jest/globals"
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
} from "node:http"
import { connect } from "node:net"
import { createBrowser, type Browser } from "./express-browser.js"

export interface Ask {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The lines of `Set-Cookie`. */
  readonly setCookies: readonly string[]
  readonly location: string
  readonly text: string
  readonly json: unknown
}

export interface Site {
  readonly port: number
  /** `http://127.0.0.1:{port}`. */
  readonly origin: string
  /** One request, without cookies of its own. */
  ask(path: string, ask?: Ask): Promise<Reply>
  /** Writes bytes to the server as they are, and gives whatever comes back until it closes the connection. */
  write(...chunks: readonly string[]): Promise<string>
  /** A browser that keeps cookies. `headers` go with every request of it. */
  browser(headers?: OutgoingHttpHeaders): Browser
}

const running: Server[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(closeServer))
})

/** Serves `listener` on a free port until the test is over. */
export async function openSite(listener: RequestListener): Promise<Site> {
  return openServer(createServer(listener))
}

/** Like {@link openSite}, for a server that does more than answer requests. */
export async function openServer(server: Server): Promise<Site> {
  running.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("expected a TCP port")
  const { port } = address
  const site: Site = {
    port,
    origin: `http://127.0.0.1:${port}`,
    ask: (path, ask) => send(port, path, ask),
    write: (...chunks) => exchange(port, chunks),
    browser: (headers) => createBrowser(site, headers),
  }
  return site
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function send(port: number, path: string, { method = "GET", headers = {}, body }: Ask = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, headers, agent: false } as const
    const outgoing = request(options, (incoming) => {
      read(incoming).then(resolve, reject)
    })
    outgoing.once("error", reject)
    outgoing.end(body)
  })
}

async function read(incoming: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const { headers, statusCode: status = 0 } = incoming
  const isJson = /json/.test(headers["content-type"] ?? "") && text !== ""
  return {
    status,
    headers,
    setCookies: headers["set-cookie"] ?? [],
    location: headers.location ?? "",
    text,
    json: isJson ? (JSON.parse(text) as unknown) : undefined,
  }
}

function exchange(port: number, chunks: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect(port, "127.0.0.1", () => {
      for (const chunk of chunks) socket.write(chunk, "latin1")
    })
    socket.on("data", (chunk: Buffer) => received.push(chunk))
    socket.once("error", reject)
    socket.once("close", () => resolve(Buffer.concat(received).toString()))
  })
}
