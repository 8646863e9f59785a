/** Discovery documents, kept for an hour, and used for a day when the issuer cannot be reached. */

export interface DocumentCache {
  /** The text at `url`, from the cache or from `load`. Failures are not kept. `source` is the `fetch` that `load` uses. */
  get(source: typeof fetch, url: string, load: () => Promise<string>): Promise<string>
  /** Forgets a document that turned out to be of no use. */
  forget(source: typeof fetch, url: string): void
}

interface Document {
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

const freshMs = 60 * 60 * 1000
const usableMs = 24 * 60 * 60 * 1000

/** @param now Milliseconds since the epoch. */
export function createDocumentCache(now: () => number): DocumentCache {
  // What an application's own `fetch` was told is for its own configuration.
  const bySource = new WeakMap<typeof fetch, Map<string, Document>>()

  return {
    async get(source, url, load) {
      const documents = bySource.get(source) ?? new Map<string, Document>()
      bySource.set(source, documents)
      const known = documents.get(url)
      if (known && now() - known.at < freshMs) return known.text
      try {
        const text = await load()
        documents.set(url, { text, at: now() })
        return text
      } catch (error) {
        if (known && now() - known.at < usableMs) return known.text
        throw error
      }
    },
    forget: (source, url) => void bySource.get(source)?.delete(url),
  }
}
