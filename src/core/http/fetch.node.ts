/**
 * How the core reaches other servers on Node: through the proxy that the environment names, which Node's own `fetch` does
 * not heed before version 24, and then only when told to. `fetch.web.ts` does the same on every other runtime.
 */
import process from "node:process"
import type { EnvHttpProxyAgent } from "undici"
import { isLoopback, type Env } from "./origin.js"

/** What the environment says of proxies, as `undici` wants it. */
interface Proxies {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

/**
 * A `fetch` that goes through `HTTPS_PROXY` or `HTTP_PROXY`, except for hosts in `NO_PROXY` and for this machine. Names in
 * lower case come first. The variables are read at each call; where none is set, it is Node's own `fetch`.
 *
 * It throws an Error that names the variable when its value is no address of an http(s) proxy. Credentials in the value
 * are for the proxy alone, and in no message.
 */
export function outboundFetch(env: Env = process.env): typeof fetch {
  const agents = new Map<string, Promise<EnvHttpProxyAgent>>()

  async function agentFor(proxies: Proxies): Promise<EnvHttpProxyAgent> {
    const key = JSON.stringify(proxies)
    const agent = agents.get(key) ?? createAgent(proxies)
    agents.set(key, agent)
    return agent
  }

  async function fetchProxied(request: Request): Promise<Response> {
    if (isLoopback(new URL(request.url).hostname)) return fetch(request)
    return fetchThrough(await agentFor(proxiesIn(env)), request)
  }

  return async (input, init) => (isProxied(env) ? fetchProxied(new Request(input, init)) : fetch(input, init))
}

async function createAgent(proxies: Proxies): Promise<EnvHttpProxyAgent> {
  const { EnvHttpProxyAgent } = await import("undici")
  return new EnvHttpProxyAgent(proxies)
}

const variables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] as const

function isProxied(env: Env): boolean {
  return variables.some((name) => env[name]) && !isDoneByNode(env)
}

/** Node 24 honours the same variables itself, if it is told to. */
function isDoneByNode(env: Env): boolean {
  const flag = "--use-env-proxy"
  if (!process.allowedNodeEnvironmentFlags.has(flag)) return false
  return (
    env["NODE_USE_ENV_PROXY"] === "1" || `${env["NODE_OPTIONS"] ?? ""} ${process.execArgv.join(" ")}`.includes(flag)
  )
}

function proxiesIn(env: Env): Proxies {
  return {
    httpProxy: proxyAddress(env, ["http_proxy", "HTTP_PROXY"]),
    httpsProxy: proxyAddress(env, ["https_proxy", "HTTPS_PROXY"]),
    noProxy: env["no_proxy"] || env["NO_PROXY"] || "",
  }
}

/** As elsewhere, `proxy.example:3128` stands for `http://proxy.example:3128`. */
function proxyAddress(env: Env, names: readonly string[]): string {
  const name = names.find((each) => env[each])
  if (name === undefined) return ""
  const value = env[name] ?? ""
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`
  if (/^https?:/i.test(address) && URL.canParse(address)) return address
  throw new Error(`${name} is set, but not to the address of an http or https proxy`)
}

/**
 * The answer is made one of the platform: that of the package is of another class. A failure says that there is a proxy,
 * as its own message may be about the proxy and reads as if it were about the provider.
 */
async function fetchThrough(dispatcher: EnvHttpProxyAgent, request: Request): Promise<Response> {
  const { url, method, redirect, signal } = request
  const { fetch: fetchBy } = await import("undici")
  const body = request.body ? new Uint8Array(await request.arrayBuffer()) : null
  try {
    const answer = await fetchBy(url, { method, redirect, signal, body, headers: [...request.headers], dispatcher })
    const { status, statusText } = answer
    return new Response(answer.body as ReadableStream<Uint8Array> | null, {
      status,
      statusText,
      headers: [...answer.headers],
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw new Error("fetch failed, where the environment names a proxy (NO_PROXY may exempt the host)", {
      cause: rootOf(error),
    })
  }
}

/** What was wrong in the first place: `undici` wraps it in a "fetch failed" and a "Request was cancelled". */
function rootOf(error: unknown): unknown {
  const cause: unknown = typeof error === "object" && error !== null && "cause" in error ? error.cause : undefined
  return cause === undefined ? error : rootOf(cause)
}
