/** A table in memory: rows by a unique key and by the user they belong to. What goes in or comes out is a copy. */

export interface Table<T extends object> {
  has(key: string): boolean
  find(key: string): T | null
  /** @throws Error when the key is taken. */
  insert(record: T): T
  /** Fields that are `undefined` stay as they are. `null` when there is no such row. */
  change(key: string, changes: Partial<T>): T | null
  /** The row that was removed. */
  remove(key: string): T | null
  listByUser(userId: string): T[]
  /** How many there were. */
  removeByUser(userId: string): number
  /** How many there were. */
  removeWhere(matches: (record: T) => boolean): number
}

export interface TableKeys<T> {
  /** In error messages: `"account"`. */
  readonly name: string
  readonly keyOf: (record: T) => string
  readonly userOf?: (record: T) => string
}

export function createTable<T extends object>({ name, keyOf, userOf }: TableKeys<T>): Table<T> {
  const rows = new Map<string, T>()
  const byUser = new Map<string, Set<string>>()

  const put = (key: string, record: T): T => {
    rows.set(key, copyOf(record))
    if (userOf) addTo(byUser, userOf(record), key)
    return copyOf(record)
  }
  const remove = (key: string): T | null => {
    const record = rows.get(key)
    if (!record) return null
    rows.delete(key)
    if (userOf) removeFrom(byUser, userOf(record), key)
    return record
  }
  const find = (key: string): T | null => {
    const record = rows.get(key)
    return record ? copyOf(record) : null
  }
  const keysOfUser = (userId: string): readonly string[] => [...(byUser.get(userId) ?? [])]
  const removeAll = (keys: readonly string[]): number => keys.map(remove).length

  return {
    has: (key) => rows.has(key),
    find,
    insert(record) {
      const key = keyOf(record)
      if (rows.has(key)) throw new Error(`This ${name} exists already`)
      return put(key, record)
    },
    change(key, changes) {
      const former = remove(key)
      return former && put(key, merge(former, changes))
    },
    remove,
    listByUser: (userId) => keysOfUser(userId).flatMap((key) => find(key) ?? []),
    removeByUser: (userId) => removeAll(keysOfUser(userId)),
    removeWhere: (matches) => removeAll([...rows].flatMap(([key, record]) => (matches(record) ? key : []))),
  }
}

/** `changes` without what is `undefined`, over `record`. */
function merge<T extends object>(record: T, changes: Partial<T>): T {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return Object.assign({ ...record }, Object.fromEntries(given))
}

function copyOf<T>(value: T): T
function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Date) return new Date(value)
  if (Array.isArray(value)) return value.map((each: unknown) => copyOf(each))
  const copy: Record<string, unknown> = { ...value }
  for (const field in copy) {
    if (typeof copy[field] === "object") copy[field] = copyOf(copy[field])
  }
  return copy
}

function addTo(index: Map<string, Set<string>>, group: string, key: string): void {
  const keys = index.get(group)
  if (keys) keys.add(key)
  else index.set(group, new Set([key]))
}

function removeFrom(index: Map<string, Set<string>>, group: string, key: string): void {
  const keys = index.get(group)
  keys?.delete(key)
  if (keys?.size === 0) index.delete(group)
}
