/** Ways in which a database does not do what it is asked to. */
import type { Fault } from "./stored-adapter.js"

export const down = "the database is down"

/** Fails before it has done anything. */
export const fails: Fault = () => Promise.reject(new Error(down))

/** Does what it is asked to, but the answer is lost. */
export const losesAnswer: Fault = async (work) => {
  await work()
  throw new Error(down)
}

/** Does what it is asked to, and says something else. */
export function answers(value: unknown): Fault {
  return async (work) => {
    await work()
    return value
  }
}

/** Only the first call fails. */
export function once(fault: Fault): Fault {
  const calls = { count: 0 }
  return (work) => (calls.count++ === 0 ? fault(work) : work())
}

/** Lets calls wait for each other: until `count` have come, or nobody else comes. */
export function together(count: number): Fault {
  const waiting = { count: 0 }
  return async (work) => {
    waiting.count += 1
    for (let turn = 0; turn < 200 && waiting.count < count; turn++) await nextTurn()
    return work()
  }
}

/** Answers only after others have had their turn. */
export const slowly: Fault = async (work) => {
  await turns(10)
  const answer = await work()
  await turns(10)
  return answer
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
