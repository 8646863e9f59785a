/** The little of `Reflect` metadata that `@peculiar/x509` needs before it is loaded. */
type Target = object
type Key = unknown

const kept = new WeakMap<Target, Map<Key, unknown>>()

const own = (key: Key, target: Target): unknown => kept.get(target)?.get(key)

function inherited(key: Key, target: Target | null): unknown {
  return target === null
    ? undefined
    : (own(key, target) ?? inherited(key, Object.getPrototypeOf(target) as Target | null))
}

Object.assign(Reflect, {
  getOwnMetadata: own,
  getMetadata: inherited,
  defineMetadata: (key: Key, value: unknown, target: Target) =>
    kept.set(target, new Map([...(kept.get(target) ?? []), [key, value]])),
})
