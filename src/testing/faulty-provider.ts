/** An OpenID provider that lives in a `fetch` function, and does wrong on demand. */
import type { JWK } from "jose"
import { accessToken, FaultyGrants, refreshToken, type Granted } from "./faulty-grants.js"
import { renderForm } from "./faulty-form.js"
import { FaultyKeys, type FaultySignature, type Json } from "./faulty-keys.js"
import { readRequest, signalOf, type FaultyEndpoint, type FaultyRequest } from "./faulty-requests.js"
import { misbehave, type TransportFault } from "./faulty-transport.js"

/**
 * How the provider misbehaves. Each member changes an honest value, or replaces an answer as a whole; those of `unknown`
 * may also return a `Response`, or a promise.
 */
export interface Faults {
  readonly discovery?: (document: Json) => unknown
  readonly jwks?: (keys: readonly JWK[]) => unknown
  /** Parameters of the answer that the browser carries back. Repeated ones are possible. */
  readonly answer?: (parameters: URLSearchParams) => void
  /** A token response; `request.body` tells the grant types apart. Refusals stay as they are. */
  readonly token?: (body: Json, request: FaultyRequest) => unknown
  readonly userinfo?: (claims: Json) => unknown
  /** Claims of the ID token that comes with a sign-in. */
  readonly claims?: (claims: Json) => Json
  /** Claims of the ID token that comes with a refresh. */
  readonly refreshed?: (claims: Json) => Json
  readonly header?: (header: Json) => Json
  /** How ID tokens are signed. Default `RS256` with the published key. */
  readonly sign?: FaultySignature
  /** Another way to make ID tokens altogether. */
  readonly idToken?: (claims: Json) => Promise<string>
  /** Parameters with which the browser comes back after a logout. */
  readonly loggedOut?: (parameters: URLSearchParams) => void
  /** How the answer to a request travels, honest or not. Default: as a whole, at once. */
  readonly transport?: (request: FaultyRequest) => TransportFault | undefined
}

export const clientId = "client-of-the-tests"
export const clientSecret = "the-client-secret-of-the-tests-which-is-long"
export { accessToken, refreshToken }

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

export class FaultyProvider {
  readonly clientId = clientId
  readonly clientSecret = clientSecret
  faults: Faults = {}
  /** Claims of whoever signs in. */
  person: Json = { sub: "ada", name: "Ada Lovelace", email: "Ada@Example.com", picture: "https://idp.example/ada.png" }
  /** The `sid` of ID tokens and logout tokens. Default: none. */
  sid: string | undefined
  /** Seconds, told as `expires_in`. */
  accessTokenLifetime = 3600
  /** Whether a refresh token is good once: each refresh gives another one, and its reuse ends them all. */
  rotatesRefreshTokens = true
  readonly requests: FaultyRequest[] = []
  /** Every secret that it gave out or was given so far, none of which may show up anywhere. */
  readonly secrets = new Set([clientSecret, accessToken, refreshToken])
  readonly #grants = new FaultyGrants()
  readonly #keys = new FaultyKeys(clientSecret)

  constructor(readonly issuer = "https://idp.example") {}

  /** For the `fetch` port, or `customFetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const request = await readRequest(input, init)
    this.requests.push(request)
    for (const name of ["code", "code_verifier", "client_assertion", "refresh_token"]) {
      this.#remember(request.body.get(name))
    }
    const answer = await this.#respond(request)
    const fault = this.faults.transport?.(request)
    return fault ? misbehave(fault, answer, { issuer: this.issuer, signal: signalOf(input, init) }) : answer
  }

  count(endpoint: FaultyEndpoint): number {
    return this.requests.filter((request) => request.endpoint === endpoint).length
  }

  /** How many refreshes were asked for, granted or not. */
  countRefreshes(): number {
    return this.requests.filter(({ body }) => body.get("grant_type") === "refresh_token").length
  }

  /** @throws Error when no request reached the endpoint. */
  last(endpoint: FaultyEndpoint): FaultyRequest {
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
      end_session_endpoint: `${issuer}/end_session`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    }
  }

  /** The person says yes: the address to which the provider sends the browser back. */
  approve(authorizationUrl: URL | string): URL {
    const { searchParams } = new URL(authorizationUrl)
    const code = this.#grants.giveCode(searchParams)
    for (const name of ["state", "nonce", "code_challenge"]) this.#remember(searchParams.get(name))
    this.#remember(code)
    return this.#answer(searchParams, { code })
  }

  /** The person, or the provider, says no. */
  refuse(authorizationUrl: URL | string, error = "access_denied"): URL {
    return this.#answer(new URL(authorizationUrl).searchParams, { error, error_description: "as <b>told</b>" })
  }

  /**
   * The person has signed out at the provider: the address to which it sends the browser (RP-Initiated Logout 1.0,
   * section 3); nothing when the application named none.
   */
  endSession(endSessionUrl: URL | string): URL | undefined {
    const { searchParams: asked } = new URL(endSessionUrl)
    const to = asked.get("post_logout_redirect_uri")
    if (to === null) return undefined
    const state = asked.get("state")
    this.#remember(state)
    const answer = new URLSearchParams(state === null ? {} : { state })
    this.faults.loggedOut?.(answer)
    const url = new URL(to)
    for (const [name, value] of answer) url.searchParams.append(name, value)
    return url
  }

  /** From now on signs with another key, and publishes only that. */
  rotateKeys(): Promise<void> {
    return this.#keys.rotate()
  }

  /** From now on refuses the refresh tokens that it gave so far. */
  revoke(): void {
    this.#grants.revoke()
  }

  /** A JWT of this provider, signed as `faults.sign` says. */
  sign(claims: Json): Promise<string> {
    const { sign, header } = this.faults
    return this.#keys.sign(claims, { sign, header })
  }

  /**
   * A logout token (Back-Channel Logout 1.0, section 2.4) about the current `person`, and their `sid` if there is one.
   * `claims` and `header` change what an honest one has; a claim of `undefined` is left out. `faults` have no say here.
   */
  async logoutToken(
    claims: (claims: Json) => Json = unchanged,
    header: (header: Json) => Json = unchanged,
    sign: FaultySignature = "RS256",
  ): Promise<string> {
    const iat = Math.floor(Date.now() / 1000)
    const { issuer: iss, sid, person } = this
    const token = await this.#keys.sign(
      claims({
        iss,
        aud: clientId,
        iat,
        exp: iat + 120,
        jti: crypto.randomUUID(),
        sub: person.sub,
        sid,
        events: { [logoutEvent]: {} },
      }),
      { sign, header: (honest) => header({ typ: "logout+jwt", ...honest }) },
    )
    this.#remember(token)
    return token
  }

  async #respond(request: FaultyRequest): Promise<Response> {
    switch (request.endpoint) {
      case "discovery":
        return respond((await this.faults.discovery?.(this.metadata)) ?? this.metadata)
      case "jwks": {
        const keys = await this.#keys.published()
        const told = this.faults.jwks ? await this.faults.jwks(keys) : keys
        return respond(told instanceof Response ? told : { keys: told })
      }
      case "authorize":
        return sendBack(request.url, this.approve(request.url))
      case "token":
        return respond(await this.#exchange(request))
      case "userinfo":
        return respond(this.faults.userinfo ? await this.faults.userinfo(this.person) : this.person)
      case "end_session": {
        const to = this.endSession(request.url)
        return to ? redirect(to) : new Response("signed out")
      }
      case "other":
        return new Response("not found", { status: 404 })
    }
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

  async #exchange(request: FaultyRequest): Promise<unknown> {
    const { body } = request
    const isRefresh = body.get("grant_type") === "refresh_token"
    const granted = isRefresh
      ? this.#grants.refresh(body, this.rotatesRefreshTokens)
      : await this.#grants.redeem(body, this.person)
    if (!granted) return Response.json({ error: "invalid_grant" }, { status: 400 })
    const honest = await this.#tokens(granted, isRefresh)
    return this.faults.token ? this.faults.token(honest, request) : honest
  }

  async #tokens(granted: Granted, isRefresh: boolean): Promise<Json> {
    this.#remember(granted.accessToken)
    this.#remember(granted.refreshToken)
    return {
      access_token: granted.accessToken,
      refresh_token: granted.refreshToken,
      token_type: "Bearer",
      expires_in: this.accessTokenLifetime,
      scope: "openid profile email",
      id_token: await this.#idToken(granted, isRefresh),
    }
  }

  async #idToken({ nonce, person }: Granted, isRefresh: boolean): Promise<string> {
    const iat = Math.floor(Date.now() / 1000)
    const common = { iss: this.issuer, aud: clientId, iat, exp: iat + 300, sid: this.sid }
    // A refreshed one should have no nonce (OpenID Connect Core 1.0, section 12.2).
    const honest = isRefresh ? { ...common, ...person } : { ...common, nonce, ...person }
    const change = isRefresh ? this.faults.refreshed : this.faults.claims
    const claims = change?.(honest) ?? honest
    const token = this.faults.idToken ? await this.faults.idToken(claims) : await this.sign(claims)
    this.#remember(token)
    return token
  }

  #remember(secret: string | null): void {
    if (secret) this.secrets.add(secret)
  }
}

const unchanged = (value: Json): Json => value

/** A Response is given as it is, anything else as JSON. */
function respond(value: unknown): Response {
  return value instanceof Response ? value : Response.json(value)
}

/** The browser carries the answer in the way that was asked for. */
function sendBack({ searchParams }: URL, answer: URL): Response {
  if (searchParams.get("response_mode") !== "form_post") return redirect(answer)
  return new Response(renderForm(answer), { headers: { "content-type": "text/html; charset=utf-8" } })
}

function redirect(to: URL): Response {
  return new Response(null, { status: 302, headers: { location: to.href } })
}
