/** Discovery documents, kept for an hour, and used for a day when the issuer cannot be reached. */

export interface DocumentCache {
  /** The text at `url`, from the cache or from `load`. Failures are not kept. */
  get(url: string, load: () => Promise<string>): Promise<string>
}

const freshMs = 60 * 60 * 1000
const usableMs = 24 * 60 * 60 * 1000

/** @param now Milliseconds since the epoch. */
export function createDocumentCache(now: () => number): DocumentCache {
  const documents = new Map<string, { readonly text: string; readonly at: number }>()

  return {
    async get(url, load) {
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
  }
}
