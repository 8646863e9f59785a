/** Waiting, but not for ever. */

/**
 * `answer`, unless it takes longer than `seconds`. Whatever it becomes after that is nobody's: neither its value nor its
 * failure is looked at.
 * @throws what `answer` throws, or the Error that `late` makes.
 */
export function within<T>(seconds: number, answer: PromiseLike<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), seconds * 1000)
    const settled = Promise.resolve(answer).finally(() => clearTimeout(timer))
    settled.then(resolve, reject)
  })
}
