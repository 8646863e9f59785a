/** Streams of bytes, read up to a limit. */

/** @throws RangeError as soon as the stream is longer than `limit` bytes. */
export async function readBytes(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.byteLength
    if (length > limit) throw new RangeError(`more than ${limit} bytes`)
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** The bytes of a stream, as they come. Whoever stops early ends the stream. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** The most that a provider may answer. Documents, keys, tokens and profiles take a few kilobytes. */
const answerLimit = 256 * 1024

/**
 * Reads an answer up to 256 KB. A `fetch` of the application's own may give bodies that are streams of Node.
 * @throws RangeError when it is longer, without reading on.
 */
export async function readLimited(response: Response): Promise<Response> {
  const body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null = response.body
  if (!body) return response
  const bytes = await readBytes("getReader" in body ? chunksOf(body) : body, answerLimit)
  const { status, statusText, headers } = response
  return new Response(bytes, { status, statusText, headers })
}
