import type { Adapter, StoredPayload } from "oidc-provider"

/**
 * Storage of one local provider, in memory. A browser's provider session is never found again by its cookie, so each
 * sign-in starts afresh and may choose another account than the one before.
 */
export function createOpenIDStore(): (kind: string) => Adapter {
  const records = new Map<string, StoredPayload>()
  return (kind) => createAdapter(records, kind)
}

function createAdapter(records: Map<string, StoredPayload>, kind: string): Adapter {
  const keyOf = (id: string): string => `${kind}:${id}`
  const search = (matches: (payload: StoredPayload) => boolean): StoredPayload | undefined =>
    [...records].find(([key, payload]) => key.startsWith(keyOf("")) && matches(payload))?.[1]

  return {
    async upsert(id, payload) {
      records.set(keyOf(id), payload)
    },
    async find(id) {
      return kind === "Session" ? undefined : records.get(keyOf(id))
    },
    async findByUid(uid) {
      return search((payload) => payload.uid === uid)
    },
    async findByUserCode(userCode) {
      return search((payload) => payload.userCode === userCode)
    },
    async consume(id) {
      records.set(keyOf(id), { ...records.get(keyOf(id)), consumed: Math.floor(Date.now() / 1000) })
    },
    async destroy(id) {
      records.delete(keyOf(id))
    },
    async revokeByGrantId(grantId) {
      for (const [key, payload] of records) {
        if (payload.grantId === grantId) records.delete(key)
      }
    },
  }
}
