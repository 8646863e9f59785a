/** The faulty provider as a server, for applications that go through the network, and for browsers. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { FaultyProvider, type Faults } from "./faulty-provider.js"
import type { Json } from "./faulty-keys.js"
import { close, listen, refuseProduction } from "./local-server.js"

export interface FaultyProviderOptions {
  /** TCP port on 127.0.0.1. Default 0: any free one. */
  readonly port?: number
  /** What it does wrong at first; its `faults` can be replaced at any time. Default: nothing. */
  readonly faults?: Faults
  /** Claims of whoever signs in. Default: those of Ada Lovelace. */
  readonly person?: Json
}

export interface RunningFaultyProvider {
  /** Its `faults`, its `person` and what it has recorded. */
  readonly provider: FaultyProvider
  /** For the `issuer` option of an `oidc` provider. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Stops listening and closes every connection at once. */
  close(): Promise<void>
}

/**
 * Starts a provider that does wrong on demand, on this machine. It signs in whoever comes, without a page, and sends them
 * to whatever redirect URI was asked for.
 * @throws Error when `NODE_ENV` is `production`, or the port is taken.
 */
export async function startFaultyProvider(options: FaultyProviderOptions = {}): Promise<RunningFaultyProvider> {
  refuseProduction("The faulty OpenID provider")
  const server = createServer()
  const issuer = `http://${await listen(server, options.port ?? 0)}`
  const provider = new FaultyProvider(issuer)
  if (options.faults) provider.faults = options.faults
  if (options.person) provider.person = options.person
  server.on("request", (request, response) => void answer(provider, request, response))
  const { clientId, clientSecret } = provider
  return { provider, issuer, clientId, clientSecret, close: () => close(server) }
}

/** Never rejects: what goes wrong breaks the connection. */
async function answer(provider: FaultyProvider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.once("close", () => gone.abort())
  try {
    await send(await provider.fetch(await readMessage(provider.issuer, request, gone.signal)), response, gone.signal)
  } catch {
    request.socket.destroy()
  }
}

async function readMessage(issuer: string, message: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = "GET", url = "/", rawHeaders } = message
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "")
  const chunks: Uint8Array[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  return new Request(new URL(url, issuer), { method, headers, signal, ...body })
}

async function send(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  const reader = answer.body?.getReader()
  signal.addEventListener("abort", () => void reader?.cancel().catch(() => undefined))
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    await write(response, part.value)
  }
  response.end()
}

/** Resolves when the bytes have left, so that a fault that follows does not swallow them. */
function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => resolve()))
}
