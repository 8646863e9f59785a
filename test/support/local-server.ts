/** Servers on this machine, at ports that the operating system chooses. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import type { FaultyProvider } from "../../src/testing/faulty-provider.js"

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export class LocalServers {
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()

  /** Resolves to the port of a server. */
  async listen(answer: Answer): Promise<number> {
    const server = createServer(answer)
    this.#servers.push(server)
    server.on("connection", (socket) => this.#sockets.add(socket))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return (server.address() as AddressInfo).port
  }

  /** A forward proxy (RFC 9110, section 9.3.6) for which every name is one of this machine. */
  async listenAsProxy(refuse: (request: IncomingMessage) => number | undefined = () => undefined) {
    const asked: { readonly to: string; readonly authorization: string | undefined }[] = []
    const port = await this.listen((_, response) => void response.writeHead(501).end())
    this.#servers.at(-1)?.on("connect", (request: IncomingMessage, client: Socket) => {
      const { url = "", headers } = request
      asked.push({ to: url, authorization: headers["proxy-authorization"] })
      const status = refuse(request)
      if (status !== undefined) return void client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`)
      const upstream = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n")
        upstream.pipe(client).pipe(upstream)
      })
      this.#sockets.add(upstream)
      for (const socket of [client, upstream]) socket.on("error", () => socket.destroy())
    })
    return { port, asked }
  }

  /** Closes everything, connections included. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    for (const server of this.#servers.splice(0)) {
      if (!server.listening) continue
      const closed = once(server, "close")
      server.close()
      await closed
    }
  }

  /** Stops the first server that was started: its port refuses connections. */
  stopFirst(): void {
    this.#servers[0]?.close()
    this.#servers[0]?.closeAllConnections()
  }
}

/** What an honest provider answers to a request that came over the wire. */
export async function answerHonestly(idp: FaultyProvider, request: IncomingMessage): Promise<HonestAnswer> {
  const { method = "GET", url = "/" } = request
  const headers = request.headers as Record<string, string>
  const body = method === "POST" ? await text(request) : undefined
  const answer = await idp.fetch(`${new URL(idp.issuer).origin}${url}`, { method, headers, body })
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
}

export interface HonestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
