// @ts-check

/**
 * So many OpenID providers. None of them is ever contacted.
 *
 * @param {number} count
 */
export function makeProviders(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    name: `P${index}`,
    type: /** @type {const} */ ("oidc"),
    issuer: `https://p${index}.example`,
    clientId: "a",
    clientSecret: "b",
  }))
}
