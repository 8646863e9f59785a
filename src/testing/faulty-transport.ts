/** Answers that do not arrive as they should. The request has had its effect all the same. */

/**
 * - `silent`: nothing ever comes;
 * - `reset`: the connection breaks in the middle of the body;
 * - `endless`: the body has no end, and begins like JSON;
 * - `slow`: the body comes at one byte a second;
 * - `redirect`: a 302 leads to `/elsewhere`, where nothing is.
 */
export type TransportFault = "silent" | "reset" | "endless" | "slow" | "redirect"

interface Surroundings {
  readonly issuer: string
  /** Of whoever asked. */
  readonly signal: AbortSignal | undefined
}

export async function misbehave(fault: TransportFault, honest: Response, around: Surroundings): Promise<Response> {
  switch (fault) {
    case "silent":
      return silence(around.signal)
    case "redirect":
      return new Response(null, { status: 302, headers: { location: `${around.issuer}/elsewhere` } })
    case "reset":
      return withBody(honest, breaking(await bytesOf(honest)))
    case "endless":
      return withBody(honest, endless())
    case "slow":
      return withBody(honest, slow(await bytesOf(honest)))
  }
}

async function silence(signal: AbortSignal | undefined): Promise<never> {
  await new Promise<void>((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener("abort", () => resolve(), { once: true })
  })
  signal?.throwIfAborted()
  throw new Error("unreachable: only a signal ends the silence")
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

function withBody({ status, headers }: Response, body: Body): Response {
  return new Response(body, { status, headers })
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer())
}

function breaking(bytes: Uint8Array<ArrayBuffer>): Body {
  const rest = [bytes.slice(0, Math.ceil(bytes.length / 2))]
  return new ReadableStream({
    pull(controller) {
      const next = rest.shift()
      if (next) controller.enqueue(next)
      else controller.error(new TypeError("the connection broke"))
    },
  })
}

function endless(): Body {
  const rest = [new TextEncoder().encode('{"x":"')]
  const more = new Uint8Array(64 * 1024).fill(0x20)
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(rest.shift() ?? more.slice())
    },
  })
}

function slow(bytes: Uint8Array<ArrayBuffer>): Body {
  let at = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream({
    pull(controller) {
      return new Promise((resolve) => {
        timer = setTimeout(() => {
          controller.enqueue(bytes.slice(at, ++at))
          if (at >= bytes.length) controller.close()
          resolve()
        }, 1000)
      })
    },
    cancel() {
      clearTimeout(timer)
    },
  })
}
