/** A browser in front of `Auth`: it keeps cookies as browsers do, and posts forms with the token they need. */
import { Auth, type AuthConfig } from "../../src/core/index.js"
import { compiledFor } from "../../src/core/auth.js"
import { createMemory } from "../../src/core/engine/memory.js"
import type { Ports } from "../../src/core/engine/engine.js"

type Fields = Readonly<Record<string, string>>

/** A parsed `Set-Cookie` header. Attribute names are lower-case; a flag's value is the empty string. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly attributes: ReadonlyMap<string, string>
  /** Whether it tells the browser to forget the cookie. */
  readonly isRemoval: boolean
}

export function setCookiesOf(response: { readonly headers: Headers }): readonly SetCookie[] {
  return response.headers.getSetCookie().map(parseSetCookie)
}

function parseSetCookie(header: string): SetCookie {
  const [pair = "", ...parts] = header.split("; ")
  const equals = pair.indexOf("=")
  const attributes = new Map(
    parts.map((part) => {
      const [name = "", value = ""] = part.split("=", 2)
      return [name.toLowerCase(), value]
    }),
  )
  const maxAge = attributes.get("max-age")
  const expires = attributes.get("expires")
  const isRemoval = maxAge === undefined ? Date.parse(expires ?? "") <= Date.now() : Number(maxAge) <= 0
  return { name: pair.slice(0, equals), value: pair.slice(equals + 1), attributes, isRemoval }
}

/** Longest `name=value` that browsers keep (RFC 6265bis, section 5.6). */
const longestPair = 4096

export class CookieJar {
  readonly #cookies = new Map<string, SetCookie>()

  /** Stores what a response sets, unless a browser would refuse it. */
  store(response: { readonly headers: Headers }, { protocol }: { readonly protocol: string }): void {
    for (const cookie of setCookiesOf(response)) {
      const { name, value, attributes, isRemoval } = cookie
      const secure = attributes.has("secure")
      if (secure && protocol !== "https:") continue
      if (/^__(?:Secure|Host)-/.test(name) && !secure) continue
      if (name.startsWith("__Host-") && (attributes.has("domain") || attributes.get("path") !== "/")) continue
      if (name.length + value.length > longestPair) continue
      if (isRemoval) this.#cookies.delete(name)
      else this.#cookies.set(name, cookie)
    }
  }

  /** Value of the `Cookie` header. */
  header(): string {
    return [...this.#live()].map(([name, { value }]) => `${name}=${value}`).join("; ")
  }

  names(): readonly string[] {
    return [...this.#live()].map(([name]) => name)
  }

  /** The value as it travels, without percent-decoding. */
  get(name: string): string | undefined {
    return new Map(this.#live()).get(name)?.value
  }

  /** Plants a cookie, past all rules. */
  set(name: string, value: string): void {
    this.#cookies.set(name, { name, value, attributes: new Map(), isRemoval: false })
  }

  /** Forgets the cookies whose names match, as when they expire or the browser is closed. */
  forget(pattern: RegExp): void {
    for (const name of this.#cookies.keys()) if (pattern.test(name)) this.#cookies.delete(name)
  }

  copy(): CookieJar {
    const jar = new CookieJar()
    for (const [name, cookie] of this.#cookies) jar.#cookies.set(name, cookie)
    return jar
  }

  #live(): readonly (readonly [string, SetCookie])[] {
    return [...this.#cookies].filter(([, { attributes }]) => {
      const expires = attributes.get("expires")
      return attributes.has("max-age") || expires === undefined || Date.parse(expires) > Date.now()
    })
  }
}

export class Browser {
  constructor(
    readonly answer: (request: Request) => Promise<Response>,
    readonly origin = "https://app.example",
    readonly basePath = "/auth",
    readonly jar = new CookieJar(),
  ) {}

  get base(): string {
    return this.origin + this.basePath
  }

  /** Sends a request with this browser's cookies, and stores those of the answer. Paths lie below the base path. */
  async send(method: string, path: string, init: { readonly headers?: Fields; readonly body?: BodyInit } = {}) {
    const url = new URL(/^https?:/.test(path) ? path : `${this.base}/${path}`)
    const headers = new Headers(init.headers)
    const cookie = this.jar.header()
    if (cookie && !headers.has("cookie")) headers.set("cookie", cookie)
    const response = await this.answer(new Request(url, { method, headers, body: init.body }))
    this.jar.store(response, url)
    return response
  }

  get(path: string, headers: Fields = {}): Promise<Response> {
    return this.send("GET", path, { headers })
  }

  /** Posts a form as it is. */
  post(path: string, form: Fields | URLSearchParams = {}, headers: Fields = {}): Promise<Response> {
    return this.send("POST", path, { headers, body: new URLSearchParams(form) })
  }

  postJson(path: string, body: unknown, headers: Fields = {}): Promise<Response> {
    return this.send("POST", path, {
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    })
  }

  async csrfToken(): Promise<string> {
    const { csrfToken } = (await (await this.get("csrf")).json()) as { readonly csrfToken: string }
    return csrfToken
  }

  /** Posts a form of one of our own pages: with the CSRF token. */
  async submit(path: string, form: Fields = {}, headers: Fields = {}): Promise<Response> {
    return this.post(path, { csrfToken: await this.csrfToken(), ...form }, headers)
  }

  /** What `GET session` says, without anything that the read prolongs. */
  async session(): Promise<unknown> {
    return (await this.answer(new Request(`${this.base}/session`, { headers: { cookie: this.jar.header() } }))).json()
  }

  /** Goes where a redirect leads. */
  follow(response: Response): Promise<Response> {
    return this.get(locationOf(response))
  }

  /** Starts a sign-in and returns the authorization URL. */
  async start(provider: string, form: Fields = {}, query = ""): Promise<URL> {
    return new URL(locationOf(await this.submit(`signin/${provider}${query}`, form)))
  }
}

export function locationOf(response: { readonly headers: Headers }): string {
  const location = response.headers.get("location")
  if (location === null) throw new Error("the response has no Location header")
  return location
}

/** Where an error redirect leads: the page, and what its query says. */
export function errorOf(response: Response): string {
  const { pathname, search } = new URL(locationOf(response))
  return `${response.status} ${pathname}${search}`
}

/** Ports of a test: the frozen clock, no network. */
export function testPorts(given: Partial<Ports> = {}): Ports {
  const now = () => Date.now()
  const denied: typeof fetch = () => Promise.reject(new Error("there is no network in a test"))
  return { now, fetch: denied, development: false, ...createMemory(now), ...given }
}

export const secret = "a secret of the tests that is long enough"

/** A configuration that works, completed by what a test is about. */
export function configOf(given: Partial<AuthConfig> = {}): AuthConfig {
  const quiet = { error: () => undefined, warn: () => undefined, debug: () => undefined }
  return { providers: [], secret, trustHost: true, logger: quiet, ...given }
}

/** A browser in front of `Auth` with this configuration. With `ports`, the configuration is compiled with those. */
export function openBrowser(config: AuthConfig, ports = testPorts(), origin?: string, basePath?: string): Browser {
  compiledFor(config, ports)
  return new Browser((request) => Auth(request, config), origin, basePath ?? config.basePath)
}
