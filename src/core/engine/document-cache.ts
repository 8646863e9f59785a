/** What issuers publish: their metadata and their keys. Kept while it is fresh, and used for a day while they are out of reach. */

import { asError } from "../thrown.js"

/** An address, and the `fetch` by which it is asked: what an application's own was told is for its own configuration. */
export interface DocumentPlace {
  readonly source: typeof fetch
  readonly url: string
  /** Milliseconds for which what was read needs no second look. */
  readonly freshFor: number
}

export interface DocumentCache {
  /** The text that needs no question now. `undefined` where there is none, or it is time to ask again. */
  known(place: DocumentPlace): string | undefined
  /** The known text, or that of `load`: asked for once by all who come together. @throws what `load` throws. */
  get(place: DocumentPlace, load: () => Promise<string>): Promise<string>
  /** The text after a new question, as the known one does not serve; the known one, if that was asked for just now. */
  renew(place: DocumentPlace, load: () => Promise<string>): Promise<string>
  /** Forgets a document that turned out to be of no use. */
  forget(place: Pick<DocumentPlace, "source" | "url">): void
}

/** Times are milliseconds since the epoch. */
interface Entry {
  readonly document?: { readonly text: string; readonly at: number }
  /** When it was asked for last, in vain or not. */
  readonly askedAt: number
  readonly loading?: Promise<string>
  readonly failure?: { readonly error: Error; readonly until: number }
}

/** For how long an issuer that is out of reach is done without, counted from what it said last. */
const usableMs = 24 * 60 * 60 * 1000
/** How long nobody asks again, where there is something to go on with. */
const cooldownMs = 30 * 1000
/** What took this long to fail is not tried again by each of those who come in the next seconds. */
const slowMs = 1000
const failureMs = 5 * 1000

/** @param now Milliseconds since the epoch. */
export function createDocumentCache(now: () => number): DocumentCache {
  const bySource = new WeakMap<typeof fetch, Map<string, Entry>>()

  function entriesOf(source: typeof fetch): Map<string, Entry> {
    const entries = bySource.get(source) ?? new Map<string, Entry>()
    bySource.set(source, entries)
    return entries
  }

  function usable({ document }: Entry): string | undefined {
    return document && now() - document.at < usableMs ? document.text : undefined
  }

  function isCooling({ askedAt }: Entry): boolean {
    return now() - askedAt < cooldownMs
  }

  function known({ source, url, freshFor }: DocumentPlace): string | undefined {
    const entry = bySource.get(source)?.get(url)
    if (!entry?.document) return undefined
    const isFresh = now() - entry.document.at < freshFor
    return isFresh || isCooling(entry) ? usable(entry) : undefined
  }

  function load({ source, url }: DocumentPlace, ask: () => Promise<string>): Promise<string> {
    const entries = entriesOf(source)
    const { document, loading, failure } = entries.get(url) ?? {}
    if (loading) return loading
    if (failure && now() < failure.until) throw failure.error

    const askedAt = now()
    /** Whoever forgot it meanwhile wants nothing of this question. */
    const settle = (entry: Entry): void => {
      if (entries.get(url)?.loading === asking) entries.set(url, entry)
    }
    const asking = ask().then(
      (text) => {
        settle({ document: { text, at: now() }, askedAt })
        return text
      },
      (reason: unknown) => {
        const error = asError(reason)
        const until = now() - askedAt < slowMs ? 0 : now() + failureMs
        const entry: Entry = { document, askedAt, failure: { error, until } }
        settle(entry)
        const text = usable(entry)
        if (text === undefined) throw error
        return text
      },
    )
    entries.set(url, { document, askedAt, loading: asking })
    return asking
  }

  return {
    known,
    async get(place, ask) {
      return known(place) ?? load(place, ask)
    },
    async renew(place, ask) {
      const entry = bySource.get(place.source)?.get(place.url)
      const text = entry && !entry.loading && isCooling(entry) ? usable(entry) : undefined
      return text ?? load(place, ask)
    },
    forget: ({ source, url }) => void bySource.get(source)?.delete(url),
  }
}
