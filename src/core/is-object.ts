/** Whether `value` has members that may be looked at. Lists and dates count, too. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
