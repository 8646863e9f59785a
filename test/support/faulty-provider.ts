/** An OpenID provider that lives in a `fetch` function, and does wrong on demand. */
import {
  calculateJwkThumbprint,
  CompactEncrypt,
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWK,
} from "jose"

type Json = Readonly<Record<string, unknown>>

/**
 * How the provider misbehaves. Each member changes an honest value, or replaces an answer as a whole; those of `unknown`
 * may also return a `Response`, or a promise.
 */
export interface Faults {
  readonly discovery?: (document: Json) => unknown
  readonly jwks?: (keys: readonly JWK[]) => unknown
  /** Parameters of the answer that the browser carries back. Repeated ones are possible. */
  readonly answer?: (parameters: URLSearchParams) => void
  readonly token?: (body: Json) => unknown
  readonly userinfo?: (claims: Json) => unknown
  readonly claims?: (claims: Json) => Json
  readonly header?: (header: Json) => Json
  /** How the ID token is signed. Default `RS256` with the published key. */
  readonly sign?: "RS256" | "ES256" | "HS256" | "none" | "broken" | "foreign" | "encrypted"
  /** Another way to make the ID token altogether. */
  readonly idToken?: (claims: Json) => Promise<string>
}

export interface ProviderRequest {
  readonly endpoint: "discovery" | "jwks" | "token" | "userinfo" | "other"
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: URLSearchParams
  readonly redirect: RequestRedirect
  /** Whether whoever asks would give up at some point. */
  readonly hasDeadline: boolean
}

interface Grant {
  readonly redirectUri: string
  readonly nonce: string | undefined
  readonly challenge: string | undefined
}

export const clientId = "client-of-the-tests"
export const clientSecret = "the-client-secret-of-the-tests-which-is-long"
export const accessToken = "the-access-token"
export const refreshToken = "the-refresh-token"

// Begun while the tests are still being loaded, as it takes a while.
const rsaKeys = generateKeyPair("RS256", { extractable: true })
const ecKeys = generateKeyPair("ES256", { extractable: true })

export class FaultyProvider {
  faults: Faults = {}
  /** Claims of whoever signs in. */
  person: Json = { sub: "ada", name: "Ada Lovelace", email: "Ada@Example.com", picture: "https://idp.example/ada.png" }
  readonly requests: ProviderRequest[] = []
  /** Every secret that it gave out or was given so far, none of which may show up anywhere. */
  readonly secrets = new Set([clientSecret, accessToken, refreshToken])
  readonly #grants = new Map<string, Grant>()
  #codes = 0
  #rotatedKeys: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey } | undefined

  constructor(readonly issuer = "https://idp.example") {}

  /** For the `fetch` port, or `customFetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const endpoint = endpointOf(url)
    const body = new URLSearchParams(await request.text())
    this.requests.push({
      endpoint,
      method: request.method,
      url,
      headers: request.headers,
      body,
      redirect: request.redirect,
      hasDeadline: init?.signal instanceof AbortSignal,
    })
    for (const name of ["code", "code_verifier", "client_assertion"]) this.#remember(body.get(name))
    switch (endpoint) {
      case "discovery":
        return respond((await this.faults.discovery?.(this.metadata)) ?? this.metadata)
      case "jwks":
        return respond(await this.#keySet())
      case "token":
        return respond(await this.#exchange(body))
      case "userinfo":
        return respond(this.faults.userinfo ? await this.faults.userinfo(this.person) : this.person)
      case "other":
        return new Response("not found", { status: 404 })
    }
  }

  count(endpoint: ProviderRequest["endpoint"]): number {
    return this.requests.filter((request) => request.endpoint === endpoint).length
  }

  last(endpoint: ProviderRequest["endpoint"]): ProviderRequest {
    const found = this.requests.findLast((request) => request.endpoint === endpoint)
    if (!found) throw new Error(`no request reached the ${endpoint} endpoint`)
    return found
  }

  get metadata(): Json {
    const { issuer } = this
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
    }
  }

  /** The person says yes: the address to which the provider sends the browser back. */
  approve(authorizationUrl: URL | string): URL {
    const { searchParams } = new URL(authorizationUrl)
    const code = `code-${++this.#codes}-${crypto.randomUUID()}`
    const redirectUri = searchParams.get("redirect_uri") ?? ""
    this.#grants.set(code, {
      redirectUri,
      nonce: searchParams.get("nonce") ?? undefined,
      challenge: searchParams.get("code_challenge") ?? undefined,
    })
    for (const name of ["state", "nonce", "code_challenge"]) this.#remember(searchParams.get(name))
    this.#remember(code)
    return this.#answer(searchParams, { code })
  }

  /** The person, or the provider, says no. */
  refuse(authorizationUrl: URL | string, error = "access_denied"): URL {
    return this.#answer(new URL(authorizationUrl).searchParams, { error, error_description: "as <b>told</b>" })
  }

  /** From now on signs with another key, and publishes only that. */
  async rotateKeys(): Promise<void> {
    this.#rotatedKeys = await generateKeyPair("RS256", { extractable: true })
  }

  #answer(asked: URLSearchParams, parameters: Readonly<Record<string, string>>): URL {
    const url = new URL(asked.get("redirect_uri") ?? "")
    const answer = new URLSearchParams(parameters)
    const state = asked.get("state")
    if (state !== null) answer.set("state", state)
    this.faults.answer?.(answer)
    url.search = answer.toString()
    return url
  }

  async #exchange(body: URLSearchParams): Promise<unknown> {
    const grant = this.#grants.get(body.get("code") ?? "")
    if (!grant || grant.redirectUri !== body.get("redirect_uri") || !(await this.#fits(grant, body))) {
      return Response.json({ error: "invalid_grant" }, { status: 400 })
    }
    this.#grants.delete(body.get("code") ?? "")
    const honest = {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid profile email",
      id_token: await this.#idToken(grant),
    }
    return this.faults.token ? this.faults.token(honest) : honest
  }

  async #fits({ challenge }: Grant, body: URLSearchParams): Promise<boolean> {
    if (challenge === undefined) return true
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body.get("code_verifier") ?? ""))
    return Buffer.from(digest).toString("base64url") === challenge
  }

  async #idToken({ nonce }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const honest = { iss: this.issuer, aud: clientId, iat: now, exp: now + 300, nonce, ...this.person }
    const claims = this.faults.claims?.(honest) ?? honest
    const token = this.faults.idToken ? await this.faults.idToken(claims) : await this.sign(claims)
    this.#remember(token)
    return token
  }

  /** A JWT of this provider, signed as `faults.sign` says. */
  async sign(claims: Json): Promise<string> {
    const { sign = "RS256" } = this.faults
    if (sign === "none") return new UnsecuredJWT(claims).encode()
    if (sign === "encrypted") {
      const { publicKey } = await rsaKeys
      const inner = new TextEncoder().encode(await this.#signWith("RS256", (await rsaKeys).privateKey, claims))
      return new CompactEncrypt(inner).setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM" }).encrypt(publicKey)
    }
    if (sign === "HS256") return this.#signWith("HS256", new TextEncoder().encode(clientSecret), claims)
    if (sign === "ES256") return this.#signWith("ES256", (await ecKeys).privateKey, claims)
    const keys = sign === "foreign" ? await generateKeyPair("RS256") : (this.#rotatedKeys ?? (await rsaKeys))
    const token = await this.#signWith("RS256", keys.privateKey, claims)
    return sign === "broken" ? `${token.slice(0, -8)}AAAAAAAA` : token
  }

  async #signWith(alg: string, key: CryptoKey | Uint8Array, claims: Json): Promise<string> {
    const header = { alg, kid: alg === "ES256" ? "ec" : await this.#kid() }
    const changed = this.faults.header?.(header) ?? header
    return new SignJWT({ ...claims }).setProtectedHeader({ ...changed, alg }).sign(key)
  }

  async #kid(): Promise<string> {
    return calculateJwkThumbprint(await exportJWK((this.#rotatedKeys ?? (await rsaKeys)).publicKey))
  }

  async #keySet(): Promise<unknown> {
    const rsa = { ...(await exportJWK((this.#rotatedKeys ?? (await rsaKeys)).publicKey)), kid: await this.#kid() }
    const ec = { ...(await exportJWK((await ecKeys).publicKey)), kid: "ec" }
    const keys = [rsa, ec].map((key) => ({ ...key, use: "sig" }))
    const published: unknown = this.faults.jwks ? await this.faults.jwks(keys) : keys
    return published instanceof Response ? published : { keys: published }
  }

  #remember(secret: string | null): void {
    if (secret) this.secrets.add(secret)
  }
}

function endpointOf({ pathname }: URL): ProviderRequest["endpoint"] {
  if (pathname.endsWith("/.well-known/openid-configuration")) return "discovery"
  const [, name] = /\/(jwks|token|userinfo)$/.exec(pathname) ?? []
  return name === "jwks" || name === "token" || name === "userinfo" ? name : "other"
}

/** A Response is given as it is, anything else as JSON. */
function respond(value: unknown): Response {
  return value instanceof Response ? value : Response.json(value)
}
