/** Signs in with whatever the application checks: a password, a one-time code, a header. */
import type { CredentialInput, CredentialsConfig } from "./kinds.js"
import type { Awaitable, User } from "../core/types.js"

export interface CredentialsUserConfig<C extends Readonly<Record<string, CredentialInput>>> {
  /** Default `credentials`. Set it when there are several. */
  id?: string | undefined
  /** Default `Credentials`. */
  name?: string | undefined
  /** The inputs of the built-in form, keyed by name. Without any, the sign-in page shows no form. */
  credentials?: C | undefined
  /**
   * The user, or `null` to refuse. Throw `CredentialsSignin` to refuse with a `code` of your own; anything else thrown
   * is a fault of the server. `request` carries the submitted values as JSON.
   */
  authorize(
    credentials: Partial<Record<keyof C, string>> & Readonly<Record<string, unknown>>,
    request: Request,
  ): Awaitable<User | null>
}

export default function Credentials<C extends Readonly<Record<string, CredentialInput>>>(
  options: CredentialsUserConfig<C>,
): CredentialsConfig {
  return { id: "credentials", name: "Credentials", type: "credentials", credentials: {}, options }
}
