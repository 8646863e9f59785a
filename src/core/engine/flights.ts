/** What several ask for at once is done once, and all of them get what becomes of it. */

export interface Flights<T> {
  /**
   * Joins what is under way under `key`, or else runs `run`.
   * @param owner What `key` belongs to, such as the store: the same key of another owner is another one.
   */
  join(owner: object, key: string, run: () => Promise<T>): Promise<T>
}

export function createFlights<T>(): Flights<T> {
  const byOwner = new WeakMap<object, Map<string, Promise<T>>>()

  function join(owner: object, key: string, run: () => Promise<T>): Promise<T> {
    const flying = byOwner.get(owner) ?? new Map<string, Promise<T>>()
    byOwner.set(owner, flying)
    const known = flying.get(key)
    if (known) return known
    const flight = run().finally(() => flying.delete(key))
    flying.set(key, flight)
    return flight
  }

  return { join }
}
