/** A store that says when it fails: what was known of the tables may be out of date, as after a migration. */
import type { Awaitable } from "../../core/types.js"
import type { Store } from "./store.js"

/** The same store; `onFailure` is called whenever it fails, at once or later. */
export function watchStore(store: Store, onFailure: () => void): Store {
  const watch = <G extends readonly unknown[], T>(method: (...given: G) => Awaitable<T>) => {
    return (...given: G): Awaitable<T> => whenItFails(() => method(...given), onFailure)
  }
  return {
    dialect: store.dialect,
    compile: (statement) => store.compile(statement),
    read: watch((statement) => store.read(statement)),
    write: watch((statement) => store.write(statement)),
    transact: watch((steps) => store.transact(steps)),
    prepare: (sql) => watch(store.prepare(sql)),
  }
}

/** `run`, and `act` before its failure is passed on. */
export function whenItFails<T>(run: () => Awaitable<T>, act: () => void): Awaitable<T> {
  const fail = (error: unknown): never => {
    act()
    throw error
  }
  try {
    const answer = run()
    return isPromise(answer) ? answer.then(undefined, fail) : answer
  } catch (error) {
    return fail(error)
  }
}

function isPromise<T>(answer: Awaitable<T>): answer is PromiseLike<T> {
  return typeof answer === "object" && answer !== null && "then" in answer && typeof answer.then === "function"
}
