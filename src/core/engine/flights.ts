/** What several ask for at once is done once, and all of them get what becomes of it. */

export interface Flights<T> {
  /** Joins what is under way under `key`, or else runs `run`. */
  join(key: string, run: () => Promise<T>): Promise<T>
}

export function createFlights<T>(): Flights<T> {
  const flying = new Map<string, Promise<T>>()

  function join(key: string, run: () => Promise<T>): Promise<T> {
    const known = flying.get(key)
    if (known) return known
    const flight = run().finally(() => flying.delete(key))
    flying.set(key, flight)
    return flight
  }

  return { join }
}
