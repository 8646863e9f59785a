/** Authorization servers of any vendor, as far as a sign-in meets them. They answer to a `fetch` of their own. */
import { createHash } from "node:crypto"
import { exportJWK, generateKeyPair, SignJWT } from "jose"

const discoveryPath = "/.well-known/openid-configuration"
const { publicKey, privateKey } = await generateKeyPair("RS256")
const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" }

/**
 * @param issuer Issuer of the discovery document. Without it there is none, and no ID token.
 * @param discovery Address, or addresses, of the document. Default: what the issuer makes it.
 * @param endpoints Members of the document that differ from the ones made up here.
 * @param token Address of the token endpoint. Default: that of the document.
 * @param tokens Members of the token response beside `access_token` and `token_type`.
 * @param claims Members of the ID token.
 * @param resources Answers to other requests, by address: JSON, bytes, or a function that makes a Response.
 * @param others Answer to requests that nothing else answers, but for other documents. Default: 404.
 * @param keys What it publishes as its keys. Default: the one that it signs with.
 * @param codeField Field of the token request that has the code; other than `code`, the request is none of RFC 6749.
 * @param sharedSecret Signs ID tokens with this client secret instead of the vendor's key.
 */
export function openVendor({ issuer, discovery, endpoints, token, tokens = {}, claims, resources = {}, ...more }) {
  const { others, sharedSecret, codeField = "code", keys = [jwk] } = more
  const documentUrls = [discovery ?? (issuer && issuer.replace(/\/$/, "") + discoveryPath)].flat()
  const metadata = issuer && { ...documentOf(issuer, documentUrls[0]), ...endpoints }
  const tokenUrl = token ?? metadata.token_endpoint
  const granted = new Map()
  const requests = []

  async function send(input, init) {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const address = url.origin + url.pathname
    const body = request.method === "POST" ? new URLSearchParams(await request.text()) : undefined
    requests.push({ method: request.method, url: request.url, headers: request.headers, body })
    if (metadata && documentUrls.includes(address)) return Response.json(metadata)
    if (address === metadata?.jwks_uri) return Response.json({ keys })
    if (address === tokenUrl) return exchange(body)
    const fallback = address.includes("/.well-known/") ? undefined : others
    const resource = resources[request.url] ?? resources[address] ?? fallback
    if (resource === undefined) return Response.json({ error: "not_found" }, { status: 404 })
    if (typeof resource === "function") return resource()
    return resource instanceof Uint8Array ? new Response(resource) : Response.json(resource)
  }

  async function exchange(body) {
    const grant = granted.get(body.get(codeField))
    if (!grant) return refuse("the code is unknown")
    const { asked } = grant
    granted.delete(body.get(codeField))
    if (body.get("redirect_uri") !== asked.get("redirect_uri")) return refuse("redirect_uri differs")
    const hasProof = codeField === "code" && asked.has("code_challenge")
    if (hasProof && challengeOf(body.get("code_verifier") ?? "") !== asked.get("code_challenge"))
      return refuse("code_verifier does not match")
    return Response.json({
      access_token: "access",
      token_type: "Bearer",
      ...tokens,
      ...(claims ? { id_token: await idToken(grant) } : {}),
    })
  }

  function idToken({ asked, person }) {
    const nonce = asked.get("nonce")
    return signJwt({ iss: issuer, aud: asked.get("client_id"), ...(nonce ? { nonce } : {}), ...person }, sharedSecret)
  }

  return {
    fetch: send,
    /** Every request that was made, in order. */
    requests,
    /**
     * The person consents. What the browser then brings back: parameters for the redirect URI.
     * @param person Members of the ID token. Default: the vendor's `claims`.
     */
    consent(authorizationUrl, person = claims) {
      const asked = new URL(authorizationUrl).searchParams
      const code = `code-${granted.size + requests.length}`
      granted.set(code, { asked, person })
      const state = asked.get("state")
      return { redirectUri: asked.get("redirect_uri"), answer: { code, ...(state === null ? {} : { state }) } }
    },
  }
}

/** Signs claims with the vendor's key, or with a secret. */
export function signJwt(claims, secret) {
  const [alg, key] = secret ? ["HS256", new TextEncoder().encode(secret)] : ["RS256", privateKey]
  return new SignJWT(claims)
    .setProtectedHeader({ alg, ...(secret ? {} : { kid: "k1" }) })
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(key)
}

function documentOf(issuer, address) {
  const { origin } = new URL(address)
  return {
    issuer,
    authorization_endpoint: `${origin}/fake/authorize`,
    token_endpoint: `${origin}/fake/token`,
    userinfo_endpoint: `${origin}/fake/userinfo`,
    jwks_uri: `${origin}/fake/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  }
}

function challengeOf(verifier) {
  return createHash("sha256").update(verifier).digest("base64url")
}

/** RFC 6749, section 5.2. */
function refuse(description) {
  return Response.json({ error: "invalid_grant", error_description: description }, { status: 400 })
}

/** Replaces the network, until the test is over. */
export function replaceFetch(t, replacement) {
  const real = globalThis.fetch
  globalThis.fetch = replacement
  t.after(() => {
    globalThis.fetch = real
  })
}

/** A `fetch` for tests in which everything should go through another one. */
export function noNetwork(input) {
  throw new Error(`this went past the provider's own fetch: ${input}`)
}
