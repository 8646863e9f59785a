/** Ways to break a good adapter, one method at a time. */
import type { Adapter, AdapterUser } from "../../../src/adapters/contract.js"
import type { AdapterMethod } from "../../../src/testing/index.js"

export type GoodAdapter = Required<Adapter>

/** The broken methods, which go over those of a good adapter. */
export type Breaks = (good: GoodAdapter) => Partial<Adapter>

export interface Defect {
  readonly name: string
  readonly breaks: Breaks
  /** Names of all checks that fail. */
  readonly fails: readonly string[]
}

type Arguments<M extends AdapterMethod> = Parameters<GoodAdapter[M]>
type Result<M extends AdapterMethod> = Awaited<ReturnType<GoodAdapter[M]>>

/** In place of a method. What it gives may be against the types, as an adapter in JavaScript may. */
export function instead<M extends AdapterMethod>(
  method: M,
  call: (good: GoodAdapter, ...args: Arguments<M>) => unknown,
): Breaks {
  return (good) => ({ [method]: async (...args: Arguments<M>) => call(good, ...args) })
}

/** What a method gives, changed. */
export function after<M extends AdapterMethod>(
  method: M,
  change: (result: Result<M>, ...args: Arguments<M>) => unknown,
): Breaks {
  return instead(method, async (good, ...args) => change(await callOf(good, method)(...args), ...args))
}

/** What a method is given, changed. */
export function before<M extends AdapterMethod>(
  method: M,
  change: (...args: Arguments<M>) => readonly unknown[],
): Breaks {
  return instead(method, async (good, ...args) => callOf(good, method)(...(change(...args) as Arguments<M>)))
}

/** The compiler cannot tell that the method and its arguments belong together. */
function callOf<M extends AdapterMethod>(good: GoodAdapter, method: M): (...args: Arguments<M>) => Promise<Result<M>> {
  return good[method].bind(good) as unknown as (...args: Arguments<M>) => Promise<Result<M>>
}

export function together(...breaks: readonly Breaks[]): Breaks {
  return (good) => Object.assign({}, ...breaks.map((each) => each(good))) as Partial<Adapter>
}

/** A turn of the event loop, as a query takes: a check and what follows it are then no longer one step. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export const ghost: AdapterUser = { id: "ghost", email: "ghost@example.com", emailVerified: null }

export const hour = 60 * 60 * 1000

/** As a case-insensitive collation compares. */
export const fold = (text: string): string => text.toLowerCase()

/** As MySQL's default collation compares. */
export const foldAll = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .trim()

export const cut = (text: string | null | undefined, length: number) => text?.slice(0, length)

/** Gives the same object each time it is asked for with the same first argument. */
export function cached<T>(): (record: T, key: string) => T {
  const records = new Map<string, T>()
  return (record, key) => {
    if (record !== null && !records.has(key)) records.set(key, record)
    return records.get(key) ?? record
  }
}
