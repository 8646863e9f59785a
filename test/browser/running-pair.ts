import express from "express"
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import { ExpressAuth, customFetch, requireSession } from "../../src/index.js"
import { clientId, clientSecret, FaultyProvider } from "../../src/testing/faulty-provider.js"

/** A request that reached the callback, and how it was answered. */
export interface CallbackRequest {
  readonly method: string
  readonly purpose: string | undefined
  readonly hasCookies: boolean
  readonly status: number
}

/** An application, and a provider on another site. */
export interface RunningPair {
  /** `http://localhost:<port>`. */
  readonly origin: string
  /** `http://127.0.0.1:<port>`: to a browser, that is another site than `localhost`. */
  readonly issuer: string
  readonly idp: FaultyProvider
  readonly callbacks: readonly CallbackRequest[]
  /** The next request that reaches the callback, once it is answered. */
  nextCallback(): Promise<CallbackRequest>
  close(): Promise<void>
}

/** Starts both. The provider has one page with a button, and answers with a form or a redirect, as it is asked. */
export async function startPair(): Promise<RunningPair> {
  const listener: { serve: RequestListener } = { serve: () => undefined }
  const provider = createServer((req, res) => listener.serve(req, res))
  const issuer = `http://127.0.0.1:${await listen(provider, "127.0.0.1")}`
  const idp = new FaultyProvider(issuer)
  listener.serve = servePages(idp)
  const callbacks: CallbackRequest[] = []
  const waiting: ((callback: CallbackRequest) => void)[] = []
  const tell = (callback: CallbackRequest) => {
    callbacks.push(callback)
    for (const resolve of waiting.splice(0)) resolve(callback)
  }
  const app = createServer(createApp(idp, tell))
  const origin = `http://localhost:${await listen(app, "localhost")}`
  const close = async () => {
    await Promise.all([stop(app), stop(provider)])
  }
  const nextCallback = () => new Promise<CallbackRequest>((resolve) => waiting.push(resolve))
  return { origin, issuer, idp, callbacks, nextCallback, close }
}

function createApp(idp: FaultyProvider, tell: (callback: CallbackRequest) => void) {
  const shared = { type: "oidc", issuer: idp.issuer, clientId, clientSecret, [customFetch]: idp.fetch } as const
  const posts = { params: { scope: "openid", response_mode: "form_post" } }
  const app = express()
  app.use("/auth/callback", (req, res, next) => {
    const { method, headers } = req
    const purpose = headers["sec-purpose"] ?? headers["purpose"]
    res.once("finish", () => {
      const hasCookies = headers.cookie !== undefined
      tell({ method, purpose: purpose && String(purpose), hasCookies, status: res.statusCode })
    })
    next()
  })
  app.use(
    "/auth",
    ExpressAuth({
      secret: "a secret for the browser tests only",
      trustHost: true,
      providers: [
        { ...shared, id: "posts", name: "Posting", authorization: posts },
        { ...shared, id: "plain", name: "Plain" },
      ],
    }),
  )
  app.get(
    "/account",
    requireSession((req, res) => void res.send(page("Account", `<h1>Account of ${req.auth.user?.name}</h1>`))),
  )
  app.get("/favicon.ico", (_req, res) => void res.status(204).end())
  app.get("/", (_req, res) => void res.send(page("Home", "<h1>Home</h1>")))
  return app
}

function servePages(idp: FaultyProvider): RequestListener {
  return (req: IncomingMessage, res: ServerResponse) => {
    const url = new URL(req.url ?? "", idp.issuer)
    if (url.pathname !== "/authorize") return void res.writeHead(404).end()
    const isPosted = url.searchParams.get("response_mode") === "form_post"
    if (req.method !== "POST") return html(res, page("Provider", form(url, {}, "I am Ada")))
    const answer = idp.approve(url)
    if (!isPosted) return void res.writeHead(303, { location: answer.href }).end()
    const fields = Object.fromEntries(answer.searchParams)
    answer.search = ""
    return html(res, page("Back", `${form(answer, fields, "Go on")}<script>document.forms[0].submit()</script>`))
  }
}

function form(action: URL, fields: Readonly<Record<string, string>>, button: string): string {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  const escaped = action.href.replaceAll("&", "&amp;")
  return `<form method="post" action="${escaped}">${inputs.join("")}<button>${button}</button></form>`
}

function page(title: string, body: string): string {
  const icon = `<link rel="icon" href="data:,">`
  return `<!doctype html><html lang="en"><head><title>${title}</title>${icon}</head><body>${body}</body></html>`
}

function html(res: ServerResponse, text: string): void {
  res.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text)
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
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
