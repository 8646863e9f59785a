export { startOpenIDProvider } from "./openid-provider.js"
export type { OpenIDProvider, OpenIDProviderOptions, OpenIDProviderRequest } from "./openid-provider.js"
export type { OpenIDAccount, OpenIDLogin } from "./openid-accounts.js"
