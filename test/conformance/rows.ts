/**
 * Every row of what was to be shown of the OAuth client, by its name, and the file whose tests bear that name: the modules
 * of the OpenID conformance suite, the faults of its FAPI plans, the attacks on callbacks and linking, and the faults of
 * providers and networks.
 */
export interface Row {
  readonly name: string
  /** Below `test/`. */
  readonly file: string
}

const client = "conformance/oidcc-client.test.ts"
const outcomes = "conformance/oidcc-rows.ts"
const keys = "conformance/oidcc-keys.test.ts"
const logout = "conformance/logout.test.ts"
const refresh = "conformance/refresh.test.ts"
const callbacks = "conformance/attacks-oauth.test.ts"
const endpoints = "conformance/attacks-endpoints.test.ts"
const linking = "conformance/attacks-linking.test.ts"
const discovery = "core/sign-in/oauth/discovery.test.ts"
const issuer = "core/sign-in/oauth/issuer-parameter.test.ts"
const formPost = "core/sign-in/oauth/form-post.test.ts"
const stored = "core/sign-in/stored"

const names: Readonly<Record<string, readonly string[]>> = {
  [outcomes]: [
    "oidcc-client-test",
    "oidcc-client-test-invalid-iss",
    "oidcc-client-test-missing-sub",
    "oidcc-client-test-invalid-aud",
    "oidcc-client-test-missing-aud",
    "oidcc-client-test-missing-iat",
    "oidcc-client-test-kid-absent-single-jwks",
    "oidcc-client-test-kid-absent-multiple-jwks",
    "oidcc-client-test-idtoken-sig-rs256",
    "oidcc-client-test-idtoken-sig-none",
    "oidcc-client-test-invalid-sig-rs256",
    "oidcc-client-test-invalid-sig-es256",
    "oidcc-client-test-invalid-sig-hs256",
    "oidcc-client-test-userinfo-invalid-sub",
    "oidcc-client-test-nonce-invalid",
    "oidcc-client-test-scope-userinfo-claims",
    "oidcc-client-test-aggregated-claims",
    "oidcc-client-test-invalid-chash",
    "oidcc-client-test-missing-chash",
    "oidcc-client-test-invalid-athash",
    "oidcc-client-test-missing-athash",
    "invalid-missing-nonce",
    "invalid-missing-exp",
    "invalid-missing-iss",
    "invalid-missing-aud",
    "invalid-expired-exp",
    "iat-is-week-in-past",
    "iat in future",
    "nbf in future",
    "invalid-secondary-aud",
    "valid-aud-as-array",
    "azp other than client id",
    "invalid-null-alg",
    "invalid-alternate-alg",
    "encrypted-idtoken",
    "encrypted-idtoken-usingrsa15",
    "token-type-case-insensitivity",
    "no-scope-in-token-endpoint-response",
    "token-endpoint-response-without-expires_in",
    "auth_time missing although max_age was asked for",
    "auth_time too old for the max_age that was asked for",
    "acr that was asked for as essential, missing",
    "acr other than was asked for as essential",
    "email_verified as string",
    "two keys of one kid",
    "key use: enc",
    "key_ops wrong",
    "20 000 keys",
  ],
  [client]: [
    "oidcc-client-test-nonce-unless-code-flow",
    "oidcc-client-test-client-secret-basic",
    "oidcc-client-test-userinfo-bearer-header",
    "oidcc-client-test-userinfo-bearer-body",
    "oidcc-client-test-userinfo-signed",
    "oidcc-client-test-distributed-claims",
    "oidcc-client-test-mtls-endpoint-aliases",
    "oidcc-client-test-discovery-webfinger-acct",
    "oidcc-client-test-discovery-webfinger-url",
    "oidcc-client-test-dynamic-registration",
    "oidcc-client-test-request-uri-signed-none",
    "oidcc-client-test-request-uri-signed-rs256",
    "oidcc-client-test-3rd-party-init-login",
    "oidcc-client-test-rp-frontchannel-rpinitlogout",
    "oidcc-client-test-rp-frontchannel-opinitlogout",
    "oidcc-client-test-session-management",
    "ensure-authorization-response-with-invalid-state-fails",
    "ensure-authorization-response-with-missing-state-fails",
  ],
  [keys]: [
    "oidcc-client-test-signing-key-rotation-just-before-signing",
    "oidcc-client-test-signing-key-rotation",
    "A-052",
  ],
  [discovery]: [
    "oidcc-client-test-discovery-openid-config",
    "oidcc-client-test-discovery-jwks-uri-keys",
    "oidcc-client-test-discovery-issuer-mismatch",
    "A-074",
  ],
  [formPost]: ["oidcc-client-test-form-post-error", "A-059", "A-073"],
  [refresh]: [
    "oidcc-client-test-refresh-token",
    "oidcc-client-test-refresh-token-invalid-issuer",
    "oidcc-client-test-refresh-token-invalid-sub",
  ],
  [logout]: [
    "oidcc-client-test-rp-init-logout",
    "oidcc-client-test-rp-init-logout-other-state",
    "oidcc-client-test-rp-init-logout-no-state",
    "oidcc-client-test-rp-backchannel-rpinitlogout",
    "oidcc-client-test-rp-backchannel-rpinitlogout-alg-none",
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg",
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss",
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud",
    "oidcc-client-test-rp-backchannel-rpinitlogout-no-event",
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event",
    "oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce",
  ],
  [issuer]: ["invalid-authorization-response-iss", "remove-authorization-response-iss", "A-050"],
  [callbacks]: ["A-044", "A-045", "A-046", "A-047", "A-049", "A-058", "A-061", "A-075"],
  [endpoints]: ["A-053", "A-054", "A-055"],
  [linking]: ["A-067", "A-074", "A-076"],
  "core/sign-in/oauth/check-cookies.test.ts": ["A-049"],
  "core/sign-in/oauth/authorization-url.test.ts": ["A-051"],
  "core/sign-in/oauth/redirect-proxy.test.ts": ["A-057"],
  "core/sign-in/oauth/provider-errors.test.ts": ["A-077"],
  "core/sign-in/secrecy.test.ts": ["A-059"],
  "core/sign-in/sign-in-callback.test.ts": ["A-060"],
  "core/auth/session-failures.test.ts": ["A-076"],
  [`${stored}/gate.test.ts`]: ["A-060", "A-061"],
  [`${stored}/by-address.test.ts`]: ["A-062", "A-063", "A-070"],
  [`${stored}/linking.test.ts`]: ["A-065", "A-066", "A-071", "A-078"],
  [`${stored}/races.test.ts`]: ["A-068", "A-069"],
  "conformance/network-faults.test.ts": ["F-31", "F-33", "F-34", "F-35", "F-36"],
  "conformance/network-answers.test.ts": ["F-32", "F-38"],
  "conformance/network-keys.test.ts": ["F-37"],
  "conformance/network-fetch.test.ts": ["F-39"],
  "conformance/network-clocks.test.ts": ["F-40"],
}

export const rows: readonly Row[] = Object.entries(names).flatMap(([file, all]) => all.map((name) => ({ name, file })))
