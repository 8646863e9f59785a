/** Comparisons of the adapter contract suite: what came against what the contract wants, in words. */
import { AssertionError } from "node:assert"

/** A Date of this realm or another one, as in test runners. */
export function isDateObject(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]"
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !isDateObject(value) && !Array.isArray(value)
}

function show(value: unknown): string {
  if (isDateObject(value)) return Number.isNaN(value.getTime()) ? "an invalid Date" : `Date ${value.toISOString()}`
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  return isRecord(value) ? `an object with ${Object.keys(value).join(", ") || "no fields"}` : String(value)
}

function isSame(actual: unknown, expected: unknown): boolean {
  if (isDateObject(expected)) return isDateObject(actual) && actual.getTime() === expected.getTime()
  if (Array.isArray(expected))
    return Array.isArray(actual) && actual.length === expected.length && expected.every((v, i) => isSame(actual[i], v))
  if (isRecord(expected)) return isRecord(actual) && findDifferences(actual, expected, []).length === 0
  return Object.is(actual, expected)
}

/**
 * Each given field must come back as it was. One that was not given may be there when it is empty, as a column of a
 * table is, or when its name is among `generated`.
 */
function findDifferences(
  actual: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
  generated: readonly string[],
): readonly string[] {
  const given = Object.keys(expected).filter((field) => expected[field] !== undefined)
  const differing = given
    .filter((field) => !isSame(actual[field], expected[field]))
    .map((field) => `${field} should be ${show(expected[field])}, but is ${show(actual[field])}`)
  const additional = Object.keys(actual)
    .filter((field) => !given.includes(field) && !generated.includes(field))
    .filter((field) => actual[field] !== null && actual[field] !== undefined)
    .map((field) => `${field} should not be there, but is ${show(actual[field])}`)
  return [...differing, ...additional]
}

/** @throws AssertionError always; `what` names the method. */
export function fail(what: string, problem: string, actual?: unknown, expected?: unknown): never {
  throw new AssertionError({ message: `${what}: ${problem}`, actual, expected, operator: "adapterContract" })
}

export function expectRecord(what: string, actual: unknown, expected: object, generated: readonly string[]): void {
  if (!isRecord(actual)) fail(what, `should give a record, but gave ${show(actual)}`, actual, expected)
  const differences = findDifferences(actual, { ...expected }, generated)
  if (differences.length > 0) fail(what, differences.join("; "), actual, expected)
}

/** For lists in no particular order; `keyOf` tells which belong together. */
export function expectRecords<T extends object>(
  what: string,
  actual: unknown,
  expected: readonly T[],
  options: { readonly keyOf: (record: T) => string; readonly generated: readonly string[] },
): void {
  if (!Array.isArray(actual)) fail(what, `should give an array, but gave ${show(actual)}`, actual, expected)
  const found: readonly T[] = actual
  const keys = (records: readonly T[]): string => records.map(options.keyOf).sort().join(", ") || "none"
  if (keys(found) !== keys(expected))
    fail(what, `should list ${keys(expected)}, but lists ${keys(found)}`, actual, expected)
  const byKey = new Map(found.map((record) => [options.keyOf(record), record]))
  for (const record of expected) expectRecord(what, byKey.get(options.keyOf(record)), record, options.generated)
}

/** `null`, which `undefined` is not. */
export function expectNull(what: string, actual: unknown): void {
  if (actual !== null) fail(what, `should give null, but gave ${show(actual)}`, actual, null)
}

/** `null` or `undefined`, where the contract allows both. */
export function expectNothing(what: string, actual: unknown): void {
  if (actual !== null && actual !== undefined)
    fail(what, `should give null or undefined, but gave ${show(actual)}`, actual, null)
}

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isSame(actual, expected)) fail(what, `should be ${show(expected)}, but is ${show(actual)}`, actual, expected)
}

/** A method that should refuse: it may throw at once or reject. */
export async function expectRefusal(what: string, call: () => unknown): Promise<void> {
  const [outcome] = await settle([call])
  if (outcome?.status === "fulfilled") fail(what, `should throw, but gave ${show(outcome.value)}`, outcome.value)
}

/** Starts all calls at once, and waits until each has given or thrown something. */
export function settle<T>(calls: readonly (() => T)[]): Promise<PromiseSettledResult<Awaited<T>>[]> {
  return Promise.allSettled(calls.map(async (call) => await call()))
}

/** `count` calls at once. */
export function race<T>(count: number, call: (index: number) => T): Promise<PromiseSettledResult<Awaited<T>>[]> {
  return settle(Array.from({ length: count }, (_, index) => () => call(index)))
}

/** What those calls gave that did not throw. */
export function gains<T>(outcomes: readonly PromiseSettledResult<T>[]): readonly T[] {
  return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []))
}
