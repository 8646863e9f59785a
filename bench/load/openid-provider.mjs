// @ts-check
// A small OpenID provider: one client, and one user, who consents at once. It costs little, so that the servers that
// sign in with it are what is measured, and it checks what a real one checks.
import { createHash, randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { user } from "../lib/user.mjs"
import { createSigner } from "./id-token.mjs"

/** Letters only: what else there is in a secret, clients do not agree on how to encode. */
export const client = { id: "bench", secret: "thesecretofthebenchmark" }

const lifetimeSeconds = 3600

/** There is one user, and so one access token. */
const accessToken = randomUUID()

const claims = { sub: user.id, name: user.name, email: user.email, email_verified: true }

/**
 * @typedef {object} Provider
 * @property {string} issuer
 * @property {ReturnType<typeof createSigner>} signer
 * @property {Map<string, Grant>} grants What each code stands for until it is exchanged.
 */

/**
 * @typedef {object} Grant
 * @property {string} redirectUri
 * @property {string} challenge
 * @property {string | null} nonce
 */

/** @typedef {{ status: number, location?: string, json?: object }} Reply */
/** @typedef {import("node:http").IncomingMessage} Request */

/** @type {Readonly<Record<string, (provider: Provider, url: URL, request: Request) => Reply | Promise<Reply>>>} */
const endpoints = {
  "GET /.well-known/openid-configuration": ({ issuer }) => ({ status: 200, json: metadataOf(issuer) }),
  "GET /jwks": ({ signer }) => ({ status: 200, json: { keys: [signer.publicKey] } }),
  "GET /authorize": authorize,
  "POST /token": exchange,
  "GET /userinfo": tellUser,
}

/**
 * Starts a provider on a free port.
 *
 * @returns {Promise<string>} Its issuer.
 */
export function startProvider() {
  /** @type {Provider} */
  const provider = { issuer: "", signer: createSigner(), grants: new Map() }
  const server = createServer(async (request, response) => {
    const { status, location, json } = await answer(provider, request)
    if (location) response.setHeader("location", location)
    if (json) response.setHeader("content-type", "application/json")
    response.writeHead(status).end(json && JSON.stringify(json))
  })
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (address === null || typeof address === "string") throw new Error("expected a TCP port to listen on")
      provider.issuer = `http://127.0.0.1:${address.port}`
      resolve(provider.issuer)
    })
  })
}

/**
 * @param {Provider} provider
 * @param {Request} request
 * @returns {Promise<Reply>}
 */
async function answer(provider, request) {
  const url = new URL(request.url ?? "/", provider.issuer)
  const endpoint = endpoints[`${request.method} ${url.pathname}`]
  return endpoint ? endpoint(provider, url, request) : { status: 404 }
}

/** @param {string} issuer */
function metadataOf(issuer) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    scopes_supported: ["openid", "profile", "email"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    claims_supported: Object.keys(claims),
    authorization_response_iss_parameter_supported: true,
  }
}

/**
 * @param {Provider} provider
 * @param {URL} url
 * @returns {Reply}
 */
function authorize({ issuer, grants }, { searchParams: asked }) {
  const [redirectUri, challenge] = [asked.get("redirect_uri"), asked.get("code_challenge")]
  if (asked.get("client_id") !== client.id) return refuse(400, "unauthorized_client")
  if (asked.get("response_type") !== "code") return refuse(400, "unsupported_response_type")
  if (!asked.get("scope")?.split(" ").includes("openid")) return refuse(400, "invalid_scope")
  if (!redirectUri || !challenge || asked.get("code_challenge_method") !== "S256") return refuse(400, "invalid_request")

  const code = randomUUID()
  grants.set(code, { redirectUri, challenge, nonce: asked.get("nonce") })
  const back = new URL(redirectUri)
  back.searchParams.set("code", code)
  back.searchParams.set("iss", issuer)
  const state = asked.get("state")
  if (state !== null) back.searchParams.set("state", state)
  return { status: 302, location: back.href }
}

/**
 * @param {Provider} provider
 * @param {URL} url
 * @param {Request} request
 * @returns {Promise<Reply>}
 */
async function exchange({ issuer, signer, grants }, url, request) {
  const form = new URLSearchParams(await readText(request))
  if (!isClient(request.headers.authorization, form)) return refuse(401, "invalid_client")
  if (form.get("grant_type") !== "authorization_code") return refuse(400, "unsupported_grant_type")
  const code = form.get("code") ?? ""
  const grant = grants.get(code)
  grants.delete(code)
  if (!grant || !isGrantedTo(grant, form)) return refuse(400, "invalid_grant")

  const issuedAt = Math.floor(Date.now() / 1000)
  const idToken = signer.sign({
    ...claims,
    iss: issuer,
    aud: client.id,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
  })
  const json = { access_token: accessToken, token_type: "Bearer", expires_in: lifetimeSeconds, id_token: idToken }
  return { status: 200, json }
}

/**
 * By `client_secret_basic` or `client_secret_post`.
 *
 * @param {string | undefined} authorization
 * @param {URLSearchParams} form
 */
function isClient(authorization, form) {
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`
  return authorization === basic || (form.get("client_id") === client.id && form.get("client_secret") === client.secret)
}

/**
 * The same address as before, and the verifier that the challenge was made of (RFC 7636, section 4.6).
 *
 * @param {Grant} grant
 * @param {URLSearchParams} form
 */
function isGrantedTo({ redirectUri, challenge }, form) {
  const verifier = form.get("code_verifier") ?? ""
  const isSame = createHash("sha256").update(verifier).digest("base64url") === challenge
  return isSame && form.get("redirect_uri") === redirectUri
}

/**
 * @param {Provider} provider
 * @param {URL} url
 * @param {Request} request
 * @returns {Reply}
 */
function tellUser(provider, url, request) {
  if (request.headers.authorization !== `Bearer ${accessToken}`) return refuse(401, "invalid_token")
  return { status: 200, json: claims }
}

/**
 * @param {number} status
 * @param {string} error
 * @returns {Reply}
 */
function refuse(status, error) {
  return { status, json: { error } }
}

/** @param {Request} request */
async function readText(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
