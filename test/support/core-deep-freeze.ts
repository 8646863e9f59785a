/** Freezes an object and every object inside it, functions included, so that writing to any of them throws. */
export function deepFreeze<T>(value: T, seen = new Set<unknown>()): T {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return value
  seen.add(value)
  for (const key of Reflect.ownKeys(value)) {
    const member: unknown = Reflect.getOwnPropertyDescriptor(value, key)?.value
    deepFreeze(member, seen)
  }
  return Object.freeze(value)
}
