/** One after the other: what happens under the same name waits for what began before it under that name. */

export interface Turns {
  /** Runs `run` when everything that began earlier under one of `names` is over. */
  take<T>(names: readonly string[], run: () => Promise<T>): Promise<T>
}

export function createTurns(): Turns {
  /** The last in each line. */
  const lines = new Map<string, Promise<void>>()

  async function take<T>(names: readonly string[], run: () => Promise<T>): Promise<T> {
    const earlier = names.flatMap((name) => lines.get(name) ?? [])
    const running = Promise.all(earlier).then(run)
    const over = running.then(ignore, ignore)
    for (const name of names) lines.set(name, over)
    try {
      return await running
    } finally {
      for (const name of names) if (lines.get(name) === over) lines.delete(name)
    }
  }

  return { take }
}

function ignore(): void {
  // Whoever began it is told of its outcome.
}
