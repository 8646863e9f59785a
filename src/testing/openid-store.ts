import type { Adapter, StoredPayload } from "oidc-provider"

/** Storage of one local provider, in memory. */
export interface OpenIDStore {
  readonly adapterOf: (kind: string) => Adapter
  /** Ids of the provider's own sessions of a person. */
  readonly sessionsOf: (sub: string) => readonly string[]
}

export function createOpenIDStore(): OpenIDStore {
  const records = new Map<string, StoredPayload>()
  return {
    adapterOf: (kind) => createAdapter(records, kind),
    sessionsOf: (sub) =>
      [...records]
        .filter(([key, { accountId }]) => key.startsWith("Session:") && accountId === sub)
        .map(([key]) => key.slice("Session:".length)),
  }
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
      return records.get(keyOf(id))
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
        if (key.startsWith(keyOf("")) && payload.grantId === grantId) records.delete(key)
      }
    },
  }
}
