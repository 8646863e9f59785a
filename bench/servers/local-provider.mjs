// @ts-check
import { client, startProvider } from "../load/openid-provider.mjs"

/** The issuer that this server was told last; started by hand, it runs a provider of its own. */
export const issuer = process.argv[2] ?? (await startProvider())

export const [clientId, clientSecret] = [client.id, client.secret]

/** The provider as Auth.js and Latchkey are told of it. */
export const localProvider = {
  id: "local",
  name: "Local OpenID",
  type: /** @type {const} */ ("oidc"),
  issuer,
  clientId,
  clientSecret,
}
