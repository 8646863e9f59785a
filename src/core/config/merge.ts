/** Laying an application's options over a provider's defaults. */

type PlainObject = Readonly<Record<string, unknown>>

/** An object literal, as opposed to an instance of some class, which is taken over whole. */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A copy without the members that are undefined, so that they do not override defaults. */
export function definedOnly<T extends object>(record: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(record ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>
}

/**
 * Lays `sources` over `base`, later ones winning, and returns a new object. Plain objects are merged member by member;
 * lists, functions and class instances replace; `undefined` changes nothing, `null` overrides.
 */
export function mergeOptions(base: PlainObject, ...sources: readonly PlainObject[]): PlainObject {
  return sources.reduce((merged, source) => mergeOne(merged, source), base)
}

function mergeOne(base: PlainObject, source: PlainObject): PlainObject {
  const members = Object.entries(source)
    .filter(([name, value]) => value !== undefined && name !== "__proto__")
    .map(([name, value]) => {
      const present = base[name]
      return [name, isPlainObject(value) ? mergeOne(isPlainObject(present) ? present : {}, value) : value] as const
    })
  return { ...base, ...Object.fromEntries(members) }
}
