/** Finds or creates the user that an identity belongs to. */
import type { AdmittedIdentity, Identity } from "./identity.js"

/** Without storage there is nothing to find: the user is who the provider says. */
export function admit(identity: Identity): AdmittedIdentity {
  return identity.account.type === "credentials" ? { ...identity, isNewUser: false } : identity
}
