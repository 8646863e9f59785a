/** Asks a credentials provider's `authorize` who somebody is. */
import type { CredentialsProvider } from "../../engine/providers.js"
import { CredentialsSignin } from "../../errors.js"
import type { RequestBody } from "../../http/body.js"
import type { AuthRequest } from "../../http/request.js"
import type { Identity } from "../identity.js"

/**
 * @throws CredentialsSignin when they are refused; whatever else `authorize` throws is a fault, and passes.
 */
export async function identifyByCredentials(provider: CredentialsProvider, request: AuthRequest): Promise<Identity> {
  const credentials = request.body ?? {}
  if (!hasTextFields(provider, credentials)) throw new CredentialsSignin()
  const user = await provider.authorize({ ...credentials }, toWebRequest(request, credentials))
  if (!user) throw new CredentialsSignin()
  if (typeof user !== "object" || Array.isArray(user))
    throw new TypeError("authorize must return a user object or null")

  const id = idOf(user)
  const account = { providerAccountId: id, type: "credentials", provider: provider.id } as const
  return { user: { ...user, id }, account, credentials, hasMadeUpId: hasNoId(user) }
}

/** Applications without types return numbers, or nothing. */
function idOf(user: { readonly id?: unknown }): string {
  const { id } = user
  if (hasNoId(user)) return crypto.randomUUID()
  if (typeof id === "string" && id !== "") return id
  if (typeof id === "number" && Number.isFinite(id)) return String(id)
  throw new TypeError("authorize must return a user whose id is a text or a number")
}

function hasNoId({ id }: { readonly id?: unknown }): boolean {
  return id === undefined || id === null
}

/** A declared input that arrives as a list or an object never came from its form: `authorize` need not guard against it. */
function hasTextFields({ fields }: CredentialsProvider, credentials: RequestBody): boolean {
  return Object.keys(fields).every((name) => ["string", "undefined"].includes(typeof credentials[name]))
}

/** The request as `authorize` expects it: the body, which was read already, as JSON. */
function toWebRequest({ url, headers }: AuthRequest, body: RequestBody): Request {
  const own = headers.all()
  own.delete("content-length")
  own.delete("transfer-encoding")
  own.set("content-type", "application/json")
  return new Request(url, { method: "POST", headers: own, body: JSON.stringify(body) })
}
