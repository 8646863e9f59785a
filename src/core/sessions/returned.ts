/** What a callback must not forget. */

/**
 * A callback that changes what it is given and forgets to return it would sign everybody out.
 * @throws TypeError
 */
export function requireReturned<T>(returned: T, rule: string): T {
  if (returned === undefined) throw new TypeError(`callbacks.${rule}; it returned undefined`)
  return returned
}
