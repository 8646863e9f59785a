/** The memory adapter as a store that can be watched, and that fails on demand. */
import { MemoryAdapter } from "../../src/adapters/memory.js"
import type { Adapter } from "../../src/adapters/contract.js"

export type MethodName = keyof Adapter

/** What a method does instead: `real` is what it would have done. */
export type Fault = (real: () => unknown, given: readonly unknown[]) => unknown

export interface WatchedAdapter {
  readonly adapter: Required<Adapter>
  /** Past all faults, and without being counted. */
  readonly real: Required<Adapter>
  /** What was called, in order. */
  readonly calls: { readonly method: MethodName; readonly given: readonly unknown[] }[]
  /** Which methods fail, and how. */
  readonly faults: Map<MethodName, Fault>
  /** How often a method was called; all of them together when none is named. */
  count(method?: MethodName): number
  /** Forgets what was called so far. */
  forget(): void
}

/**
 * @param isAsync Whether methods answer by a promise, as those of a database on the network do. Otherwise they answer at
 * once.
 */
export function watchedAdapter({ isAsync = true }: { readonly isAsync?: boolean } = {}): WatchedAdapter {
  const real = MemoryAdapter()
  const calls: WatchedAdapter["calls"] = []
  const faults: WatchedAdapter["faults"] = new Map()
  const watch = (method: MethodName) => {
    const own = real[method] as (...given: unknown[]) => unknown
    return (...given: unknown[]): unknown => {
      calls.push({ method, given })
      const run = () => own.apply(real, given)
      const answer = isAsync ? async () => run() : run
      const fault = faults.get(method)
      return fault ? fault(answer, given) : answer()
    }
  }
  const methods = (Object.keys(real) as MethodName[]).map((method) => [method, watch(method)] as const)
  return {
    adapter: Object.fromEntries(methods) as unknown as Required<Adapter>,
    real,
    calls,
    faults,
    count: (method) => calls.filter((call) => method === undefined || call.method === method).length,
    forget: () => void calls.splice(0),
  }
}

export const outage = new Error("the database is down")

/** Every way in which a method can fail to answer. */
export const silences: readonly (readonly [how: string, fault: Fault])[] = [
  [
    "throws at once",
    () => {
      throw outage
    },
  ],
  [
    "throws a text at once",
    () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- drivers do throw without an error
      throw "down"
    },
  ],
  ["rejects with an error", () => Promise.reject(outage)],
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- drivers do reject without an error
  ["rejects with a text", () => Promise.reject("down")],
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- drivers do reject without an error
  ["rejects with nothing", () => Promise.reject()],
  ["never answers", () => new Promise(() => undefined)],
]

export interface Door {
  /** A fault that makes the method wait, before it does what it does. */
  readonly fault: Fault
  /** Resolves when somebody stands before the door. */
  readonly reached: Promise<void>
  open(): void
}

/** Holds calls up until it is opened. */
export function door(): Door {
  const opened = signal()
  const reached = signal()
  return {
    fault: async (real) => {
      reached.give()
      await opened.given
      return real()
    },
    reached: reached.given,
    open: opened.give,
  }
}

function signal() {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give }
}
