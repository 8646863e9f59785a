/** How a request to a provider is sent: within a time, and with an answer of limited size. */
import type { CustomFetch } from "openid-client"
import { isPromise } from "../awaitable.js"
import { readLimited } from "../bytes.js"
import { within } from "../deadline.js"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { customFetch } from "../symbols.js"
import { isError } from "../thrown.js"
import type { Awaitable } from "../types.js"

/** By what a provider is asked: its own `customFetch`, else what everything goes through. */
export function sourceOf(engine: Engine, provider: OAuthProvider): typeof fetch {
  return provider.fetch ?? engine.ports.fetch
}

/**
 * For openid-client. It types a body more widely than `fetch` does, but sends text and URLSearchParams only; its own
 * deadline comes after ours.
 */
export function sender(engine: Engine, provider: OAuthProvider): CustomFetch {
  const send = limitedFetch(engine, provider)
  return (url, options) => send(url, { ...(options as RequestInit), signal: null })
}

/**
 * The `fetch` in effect for a provider. It reads the whole answer, up to 256 KB, within `timeouts.provider`; a fetch of the
 * application's own may not heed the signal.
 */
export function limitedFetch(engine: Engine, provider: OAuthProvider): typeof fetch {
  const source = sourceOf(engine, provider)
  return (input, init) => {
    const late = AbortSignal.timeout(Math.ceil(engine.timeouts.provider * 1000))
    const own = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const signal = own ? AbortSignal.any([own, late]) : late
    return inTime(engine, askOnce(source, input, { ...init, signal }))
  }
}

/** The provider as its hooks get it: under `customFetch` is the `fetch` in effect, within `timeouts.provider` and 256 KB. */
export function providerForHooks(
  engine: Engine,
  provider: OAuthProvider,
): Readonly<Record<string, unknown> & { [customFetch]: typeof fetch }> {
  return { ...provider.config, [customFetch]: limitedFetch(engine, provider) }
}

async function askOnce(source: typeof fetch, input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  try {
    const response: unknown = await source(input, init)
    return await readLimited(requireResponse(response))
  } catch (reason) {
    throw explained(reason)
  }
}

/** Functions of an application may reject with anything, which is not quoted. */
function explained(reason: unknown): Error {
  if (isTimeout(reason)) return timedOut()
  if (isError(reason)) return reason
  return new Error(
    `fetch failed and gave ${typeof reason === "undefined" ? "no reason" : `a value of type ${typeof reason}`}`,
  )
}

/** Applications hand in all sorts of functions. @throws TypeError that says what came instead of a Response. */
function requireResponse(answer: unknown): Response {
  if (typeof answer === "object" && answer !== null && "status" in answer && "headers" in answer) {
    return answer as Response
  }
  throw new TypeError(
    `fetch gave ${answer === null ? "null" : `a value of type ${typeof answer}`} instead of a Response`,
  )
}

/** @throws Error when it takes longer than a provider may take. */
export async function inTime<T>({ timeouts }: Pick<Engine, "timeouts">, answer: Awaitable<T>): Promise<T> {
  if (!isPromise(answer)) return answer
  return within(timeouts.provider, answer, () => timedOut(`: no answer within ${timeouts.provider} s`))
}

function timedOut(detail = ""): Error {
  const error = new Error(`timed out${detail}`)
  error.name = "TimeoutError"
  return error
}

/** Whether it, or what caused it, is that something took too long. */
export function isTimeout(reason: unknown): boolean {
  if (typeof reason !== "object" || reason === null) return false
  const { name, cause } = reason as { readonly name?: unknown; readonly cause?: unknown }
  return name === "TimeoutError" || isTimeout(cause)
}
