/** For the `default` of a `switch` over a closed union. */
import { isObject } from "./is-object.js"

/**
 * Does not compile where `value` may still be something. Names its `kind` or `type` and nothing else, as the rest may be
 * secret.
 * @throws TypeError where somebody without types gave `value`.
 */
export function unreachable(value: never, what: string): never {
  throw new TypeError(`no such ${what}: ${tagOf(value)}`)
}

function tagOf(value: unknown): string {
  if (!isObject(value)) return typeof value
  const tag: unknown = "kind" in value ? value.kind : "type" in value ? value.type : undefined
  return typeof tag === "string" ? `"${tag}"` : typeof tag
}
