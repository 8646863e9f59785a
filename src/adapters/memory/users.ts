/** Users in memory, found by id and by e-mail address. */
import type { AdapterUser } from "../contract.js"
import { createTable } from "./table.js"

export interface Users {
  find(id: string): AdapterUser | null
  findByEmail(email: string): AdapterUser | null
  /** @throws Error when there is no such user. */
  expectUser(id: string): void
  insert(user: AdapterUser): AdapterUser
  change(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): AdapterUser
  remove(id: string): AdapterUser | null
}

/** Any number of users may have no address. */
export function createUsers(): Users {
  const table = createTable<AdapterUser>({ name: "user", keyOf: ({ id }) => id })
  const ids = new Map<string, string>()

  const expectFree = (email: string | null | undefined, id: string): void => {
    if (isAddress(email) && (ids.get(email) ?? id) !== id) throw new Error("Another user has this e-mail address")
  }
  const index = (user: AdapterUser): AdapterUser => {
    if (isAddress(user.email)) ids.set(user.email, user.id)
    return user
  }
  const expectUser = (id: string): void => {
    if (!table.has(id)) throw new Error("There is no user with this id")
  }

  return {
    find: (id) => table.find(id),
    findByEmail(email) {
      const id = ids.get(email)
      return id === undefined ? null : table.find(id)
    },
    expectUser,
    insert(user) {
      expectFree(user.email, user.id)
      return index(table.insert({ ...user, emailVerified: user.emailVerified ?? null }))
    },
    change(changes) {
      expectFree(changes.email, changes.id)
      const former = table.find(changes.id)
      const changed = table.change(changes.id, changes)
      if (!former || !changed) throw new Error("There is no user with this id")
      ids.delete(former.email)
      return index(changed)
    },
    remove(id) {
      const removed = table.remove(id)
      if (removed) ids.delete(removed.email)
      return removed
    },
  }
}

/** The type is stricter than what providers tell. */
function isAddress(email: string | null | undefined): email is string {
  return typeof email === "string"
}
