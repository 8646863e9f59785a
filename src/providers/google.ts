/** Google, by OpenID Connect. @see https://developers.google.com/identity/openid-connect/openid-connect */
import type { Profile } from "../core/types.js"
import type { OIDCConfig, OIDCUserConfig } from "./kinds.js"

export interface GoogleProfile extends Profile {
  aud: string
  azp: string
  email: string
  email_verified: boolean
  exp: number
  family_name?: string
  given_name: string
  /** Domain of a Google Workspace account. */
  hd?: string
  iat: number
  iss: string
  name: string
  picture: string
  sub: string
}

export default function Google<P extends GoogleProfile>(options: OIDCUserConfig<P> = {}): OIDCConfig<P> {
  return {
    id: "google",
    name: "Google",
    type: "oidc",
    issuer: "https://accounts.google.com",
    style: { brandColor: "#1a73e8", text: "#fff" },
    options,
  }
}
