/** Whose account it is already. */
import type { AccountKey, AdapterUser } from "../../adapters/contract.js"
import { readUser } from "../storage/records.js"
import type { Store } from "../storage/store.js"

/** Changes nothing. `null` when it is nobody's. @throws AdapterError */
export async function findOwner(
  store: Store,
  { provider, providerAccountId }: AccountKey,
): Promise<AdapterUser | null> {
  return readUser(await store.getUserByAccount({ provider, providerAccountId }), "getUserByAccount")
}
