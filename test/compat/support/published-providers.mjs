/** The provider modules of `@auth/core`, every one that its folder holds, with the options that each cannot do without. */
import { readdirSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

const folder = dirname(fileURLToPath(import.meta.resolve("@auth/core/providers/github")))

/** Modules that hold types alone. */
const typesOnly = ["index", "oauth", "provider-types"]

/** Names of modules, as in `@auth/core/providers/{name}`. */
export const moduleNames = readdirSync(folder)
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.slice(0, -".js".length))
  .filter((name) => !typesOnly.includes(name))

/** Modules of the kinds that Latchkey does not have yet. */
export const emailModules = moduleNames.filter((name) =>
  ["email", "forwardemail", "loops", "mailgun", "nodemailer", "postmark", "resend", "sendgrid"].includes(name),
)
export const passkeyModules = moduleNames.filter((name) => ["passkey", "webauthn"].includes(name))

/** Modules whose providers are of type `oauth` or `oidc`. */
export const oauthModules = moduleNames.filter(
  (name) => ![...emailModules, ...passkeyModules, "credentials"].includes(name),
)

/** Issuers of providers without an address of their own. Where the vendor prescribes a form, it is in that form. */
const issuers = {
  asgardeo: "https://api.asgardeo.io/t/realm/oauth2/token",
  onelogin: "https://realm.onelogin.com/oidc/2",
  // Their modules append to it without a slash.
  osso: "https://osso.issuer.example/",
  ...Object.fromEntries(
    [
      "auth0",
      "authentik",
      "azure-ad-b2c",
      "battlenet",
      "beyondidentity",
      "boxyhq-saml",
      "cognito",
      "descope",
      "duende-identity-server6",
      "frontegg",
      "fusionauth",
      "identity-server4",
      "keycloak",
      "kinde",
      "logto",
      "mastodon",
      "mattermost",
      "nextcloud",
      "okta",
      "ory-hydra",
      "passage",
      "ping-id",
      "united-effects",
      "zitadel",
    ].map((name) => [name, `https://${name}.issuer.example/realm`]),
  ),
}

/** What else an application has to set. */
const particular = {
  fusionauth: { tenantId: "tenant" },
  netsuite: {
    accountID: "1234567",
    userinfo: "https://1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=1&deploy=1",
  },
  notion: { redirectUri: "https://app.example/auth/callback/notion" },
  wechat: { platformType: "WebsiteApp" },
  workos: { connection: "conn_1" },
}

/** Options with which a provider can be used. */
export function optionsFor(name) {
  return {
    clientId: "client1",
    clientSecret: "secret1",
    ...(issuers[name] ? { issuer: issuers[name] } : {}),
    ...particular[name],
  }
}

/** Every variable that a provider could take from the environment. */
export function environmentFor(name, { id }) {
  const prefix = `AUTH_${id.toUpperCase().replaceAll("-", "_")}`
  const { clientId, clientSecret, issuer } = optionsFor(name)
  return {
    [`${prefix}_ID`]: clientId,
    [`${prefix}_SECRET`]: clientSecret,
    [`${prefix}_KEY`]: "key1",
    ...(issuer ? { [`${prefix}_ISSUER`]: issuer } : {}),
  }
}

export async function loadFactory(name) {
  const { default: factory } = await import(`@auth/core/providers/${name}`)
  return factory
}

/** Issuer of a provider, wherever it has it. */
export function issuerOf({ issuer, options }) {
  return options?.issuer ?? issuer
}
