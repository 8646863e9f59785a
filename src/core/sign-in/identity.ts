/** What the `identify` step of a sign-in finds out, whatever the type of provider. */
import type { RequestBody } from "../http/body.js"
import type { Account, Profile, User } from "../types.js"

export interface Identity {
  readonly user: User
  readonly account: Account
  /** What an OAuth provider said, before `profile()` mapped it. */
  readonly profile?: Profile
  /** The e-mail address as the provider wrote it. */
  readonly statedEmail?: string | null | undefined
  /** The id of `user` means nothing: `authorize` gave none. */
  readonly hasMadeUpId?: boolean
  /** What was submitted to a credentials provider. */
  readonly credentials?: RequestBody
}

/** An identity that has been let in. */
export interface AdmittedIdentity extends Identity {
  /** Whether this sign-in created the user. Undefined where users are not stored. */
  readonly isNewUser?: boolean
}
