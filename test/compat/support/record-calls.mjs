/** Writes down how functions are called, in one list, without what differs from one run to the next. */

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const isoDate = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const thirtyDays = 30 * 24 * 60 * 60 * 1000
const chance = ["id_token", "expires_at", "iat", "exp", "jti"]

/**
 * In the list, dates are told by name, and undefined members left out, as is the nonce of an ID token. Ids and tokens are
 * numbered in the order in which the adapter returned them first; `{new}` is one that it has not returned yet.
 */
export function openRecorder() {
  const calls = []
  const numbers = new Map()
  const tidy = (value, key) => {
    if (value === undefined || value === null) return value
    if (chance.includes(key)) return `{${key}}`
    if (value instanceof Date) return nameOfDate(value)
    if (typeof value === "string") return tidyText(value)
    if (typeof value !== "object") return value
    const members = Object.entries(value).filter(([name, member]) => member !== undefined && name !== "nonce")
    const inOrder = members.sort(([one], [other]) => one.localeCompare(other))
    return Object.fromEntries(inOrder.map(([name, member]) => [name, tidy(member, name)]))
  }
  const tidyText = (text) =>
    isoDate.test(text) ? nameOfDate(new Date(text)) : text.replace(uuid, (id) => numbers.get(id) ?? "{new}")
  const number = (value) => {
    for (const [id] of JSON.stringify(value ?? null).matchAll(uuid)) {
      if (!numbers.has(id)) numbers.set(id, `{${numbers.size + 1}}`)
    }
  }
  const write = (kind, name, given) => calls.push([`${kind} ${name}`, ...given.map((value) => tidy(value))])
  const wrap = (functions, replace) =>
    Object.fromEntries(Object.entries(functions).map(([name, own]) => [name, replace(name, own)]))
  return {
    /** The calls so far: kind and name, then the arguments. */
    calls,
    /** A value as it would stand in the list. */
    tidy: (value) => tidy(value),
    adapter: (adapter) =>
      wrap(adapter, (name, own) => async (...given) => {
        write("adapter", name, given)
        const answer = await own.apply(adapter, given)
        number(answer)
        return answer
      }),
    /** @param kind `callback` or `event`. */
    functions: (kind, functions) =>
      wrap(functions, (name, own) => (...given) => {
        write(kind, name, given)
        return own(...given)
      }),
  }
}

function nameOfDate(date) {
  const ahead = date - Date.now()
  if (Math.abs(ahead - thirtyDays) < 60_000) return "{in 30 days}"
  return ahead < 0 ? "{past}" : "{soon}"
}
