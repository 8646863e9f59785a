/** The vendor behind each published provider: where its endpoints are, and what it answers. */
import { profileFrom } from "./any-profile.mjs"
import { openVendor, signJwt } from "./fake-vendor.mjs"
import { issuerOf, optionsFor } from "./published-providers.mjs"

const microsoft = "https://login.microsoftonline.com"
const discoveryPath = "/.well-known/openid-configuration"

/** Opens the vendor of `provider`, which module `name` made. */
export function openVendorOf(name, provider) {
  const profile = profileFrom(name)
  const { type } = provider
  const issuer = issuerOf(provider)
  return openVendor({
    token: addressOf(provider.token),
    tokens: { expires_in: 60, scope: "a b", openid: "7", user_id: "7", email: "from@tokens.example" },
    others: profile,
    ...(type === "oidc" ? { issuer, claims: profile } : {}),
    ...particularOf(name, provider, profile),
  })
}

function particularOf(name, provider, profile) {
  const issuer = issuerOf(provider)
  switch (name) {
    case "azure-devops":
      return { codeField: "assertion" }
    case "azure-ad":
    case "microsoft-entra-id":
      return entra(profile)
    case "bankid-no":
      return { others: () => signedProfile(issuer, profile) }
    case "frontegg":
      return { discovery: [`${issuer}${discoveryPath}`, `${issuer}/oauth${discoveryPath}`] }
    case "line":
      // LINE Login signs with the channel secret.
      return { sharedSecret: optionsFor(name).clientSecret }
    case "twitch":
      return { tokens: { scope: ["openid", "user:read:email"] } }
    default:
      return {}
  }
}

/** Its document is for all tenants, and each token names its own. */
function entra(profile) {
  const tenant = `${microsoft}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`
  const endpoints = {
    authorization_endpoint: `${microsoft}/fake/authorize`,
    token_endpoint: `${microsoft}/fake/token`,
    userinfo_endpoint: `${microsoft}/fake/userinfo`,
    jwks_uri: `${microsoft}/fake/keys`,
  }
  return {
    issuer: `${microsoft}/{tenantid}/v2.0`,
    discovery: `${microsoft}/common/v2.0${discoveryPath}`,
    claims: { ...profile, iss: tenant, tid: "9188040d-6c67-4c5b-b112-36a304b66dad" },
    resources: { [tenant + discoveryPath]: { issuer: tenant, ...endpoints } },
    others: new Uint8Array([1, 2, 3]),
  }
}

/** OpenID Connect Core, section 5.3.2. */
async function signedProfile(issuer, profile) {
  const jwt = await signJwt({ ...profile, iss: issuer, aud: optionsFor("bankid-no").clientId })
  return new Response(jwt, { headers: { "content-type": "application/jwt" } })
}

/** Where an endpoint is, without its query. */
function addressOf(endpoint) {
  const address = typeof endpoint === "string" ? endpoint : endpoint?.url?.toString()
  return address?.split("?")[0]
}
