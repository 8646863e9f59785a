/** Providers whose answers are none: F-32, F-34, F-38, F-39. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { MemoryAdapter } from "../../../../src/adapters/memory.js"
import type { AuthConfig } from "../../../../src/core/index.js"
import { customFetch } from "../../../../src/core/symbols.js"
import type { Profile } from "../../../../src/core/types.js"
import GitHub from "../../../../src/providers/github.js"
import type { OAuthConfig } from "../../../../src/providers/kinds.js"
import { locationOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import {
  checkCookies,
  expectRefused,
  oauthAt,
  oidcAt,
  openSite,
  signIn,
  type Site,
} from "../../../support/core-flow.js"
import { accessToken, type Faults, type FaultyProvider } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type Endpoint = "discovery" | "token" | "jwks" | "userinfo"

/** Part of a body that must not get into the log. */
const marker = "s3cret"

interface WatchedSite extends Site {
  /** Names of the methods of the adapter that have written. */
  readonly writes: readonly string[]
  /** Names of the events told, and of the callbacks asked. */
  readonly told: readonly string[]
}

function openWatched(provider: (idp: FaultyProvider) => OAuthConfig, given: Partial<AuthConfig> = {}): WatchedSite {
  const adapter = MemoryAdapter()
  const writes: string[] = []
  const told: string[] = []
  for (const name of ["createUser", "linkAccount", "createSession"] as const) {
    const method = adapter[name] as (...given: readonly unknown[]) => never
    adapter[name] = (...given: readonly unknown[]) => {
      writes.push(name)
      return method(...given)
    }
  }
  const tell = (name: string) => () => void told.push(name)
  const site = openSite(provider, {
    adapter,
    callbacks: { signIn: () => told.push("signIn callback") > 0 },
    events: { signIn: tell("signIn event"), createUser: tell("createUser event") },
    ...given,
  })
  return { ...site, writes, told }
}

/** Starts a sign-in, and completes it where it does start. */
async function attempt({ browser, idp }: Site): Promise<Response> {
  const started = await browser.submit("signin/idp")
  const to = new URL(locationOf(started))
  return to.origin === idp.issuer ? browser.get(idp.approve(to).href) : started
}

/** An error page, nobody signed in, nothing written, nobody asked or told, no flow left open, no secret in the log. */
async function expectFailedCleanly({ browser, writes, told, log, idp }: WatchedSite, response: Response) {
  await expectRefused(browser, response, ["Configuration"])
  expect([...writes, ...told]).toEqual([])
  expect(checkCookies(browser)).toEqual([])
  expect(log.errors).toHaveLength(1)
  for (const secret of [marker, ...idp.secrets]) expect(log.text()).not.toContain(secret)
}

async function expectItWorksAgain(site: WatchedSite): Promise<void> {
  site.idp.faults = {}
  await signIn(site)
  expect(await site.browser.session()).not.toBeNull()
}

const oidc = (idp: FaultyProvider) => oidcAt(idp, { idToken: false })
const oauth = (idp: FaultyProvider) => oauthAt(idp, { profile: ({ sub, email }) => ({ id: String(sub), email }) })

interface Place {
  readonly endpoint: Endpoint
  readonly kind: "oidc" | "oauth"
  readonly provider: (idp: FaultyProvider) => OAuthConfig
}

const atToken: Place = { endpoint: "token", kind: "oidc", provider: oidc }
const places: readonly Place[] = [
  { endpoint: "discovery", kind: "oidc", provider: oidc },
  atToken,
  { endpoint: "token", kind: "oauth", provider: oauth },
  { endpoint: "jwks", kind: "oidc", provider: oidc },
  { endpoint: "userinfo", kind: "oidc", provider: oidc },
  { endpoint: "userinfo", kind: "oauth", provider: oauth },
]

const json = { "content-type": "application/json" }

/** Given instead of an honest answer. */
const answers: Readonly<Record<string, (honest: string) => Response>> = {
  "404": () => Response.json({ error: "not_found", error_description: marker, message: marker }, { status: 404 }),
  "500": () => new Response(marker, { status: 500 }),
  "500 with what would do": (honest) => new Response(honest, { status: 500, headers: json }),
  "429": (honest) => new Response(honest, { status: 429, headers: { ...json, "retry-after": "1" } }),
  "204": () => new Response(null, { status: 204 }),
  HTML: () => new Response(`<!doctype html>${marker}`, { headers: { "content-type": "text/html" } }),
  "HTML that says it is JSON": () => new Response(`${marker}<!doctype html>`, { headers: json }),
  nothing: () => new Response("", { headers: json }),
  "JSON that does not end": (honest) => new Response(`{"x":"${marker}",${honest.slice(1, -1)}`, { headers: json }),
  "UTF-16": (honest) => {
    const headers = { "content-type": "application/json; charset=utf-16le" }
    return new Response(Buffer.from(`\ufeff${honest}`, "utf16le"), { headers })
  },
}

function faultAt(endpoint: Endpoint, answer: (honest: string) => unknown): Faults {
  return { [endpoint]: (honest: unknown) => answer(JSON.stringify(endpoint === "jwks" ? { keys: honest } : honest)) }
}

describe("F-32: an answer that is none", () => {
  const rows = Object.keys(answers).flatMap((name) => places.map((place) => ({ name, ...place })))

  it.each(rows)("is refused, and not logged: $name, from $endpoint ($kind)", async ({ name, endpoint, provider }) => {
    const site = openWatched(provider)
    site.idp.faults = faultAt(endpoint, answers[name] as (honest: string) => Response)

    await expectFailedCleanly(site, await attempt(site))
    expect(site.idp.count(endpoint)).toBe(1)
  })

  // The row wants it refused. The contract (5.3) asks for a JSON object alone, as do the providers that there are.
  it.each(places)(
    "is not one that comes under another content type: from $endpoint ($kind)",
    async ({ endpoint, provider }) => {
      const site = openWatched(provider)
      site.idp.faults = faultAt(
        endpoint,
        (honest) => new Response(honest, { headers: { "content-type": "text/html" } }),
      )

      await attempt(site)

      expect(await site.browser.session()).not.toBeNull()
    },
  )

  it("is not logged in its error code either", async () => {
    const site = openWatched(oidc)
    const code = () => site.idp.last("token").body.get("code")
    site.idp.faults = { token: () => Response.json({ error: `no such code: ${code()}` }, { status: 400 }) }

    await expectFailedCleanly(site, await attempt(site))
  })
})

describe("F-38: userinfo that fails after the token was given", () => {
  const unreachable = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }))
  const cutOff = () => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(new TextEncoder().encode('{"sub":"ada"'))
      controller.error(new TypeError("terminated"))
    }
    return new Response(new ReadableStream({ start }), { headers: json })
  }
  const faults = { unreachable, busy: () => new Response(marker, { status: 503 }), "cut off": cutOff }
  const rows = Object.entries(faults).flatMap(([name, userinfo]) => [
    { name, userinfo, kind: "oidc", provider: oidc },
    { name, userinfo, kind: "oauth", provider: oauth },
  ])

  it.each(rows)("drops the tokens: it is $name ($kind)", async ({ userinfo, provider }) => {
    const site = openWatched(provider)
    site.idp.faults = { userinfo }

    const response = await attempt(site)

    await expectFailedCleanly(site, response)
    expect([site.idp.count("token"), site.idp.count("userinfo")]).toEqual([1, 1])
    const left = [...site.browser.jar.names().map((name) => site.browser.jar.get(name)), ...response.headers.values()]
    expect(left.join()).not.toContain(accessToken)
    await expectItWorksAgain(site)
    expect(site.writes).toEqual(["createUser", "linkAccount", "createSession"])
  })

  it("in its second half, where a provider asks twice", async () => {
    const answerTo: Readonly<Record<string, () => Response>> = {
      "https://github.com/login/oauth/access_token": () =>
        Response.json({ access_token: accessToken, token_type: "bearer" }),
      "https://api.github.com/user": () => Response.json({ id: 1, login: "ada", email: null }),
      "https://api.github.com/user/emails": () => new Response(marker, { status: 503 }),
    }
    const send: typeof fetch = (input) => Promise.resolve(answerTo[new Request(input).url]?.() ?? Response.error())
    const site = openWatched(
      () => GitHub({ clientId: "client", clientSecret: "secret", [customFetch]: send }) as OAuthConfig,
    )
    const callback = site.idp.approve(await site.browser.start("github"))
    callback.searchParams.set("iss", "https://github.com/login/oauth")

    await expectFailedCleanly(site, await site.browser.get(callback.href))
  })
})

/** Returned by a `fetch`, or thrown by it, instead of a Response that can be read. */
const results: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  "an error at once": () => {
    throw new TypeError("no fetch today")
  },
  "a body that breaks": () =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new Error("terminated")) })),
  null: () => null,
  text: () => marker,
  "a number": () => 200,
  "an empty object": () => ({}),
  "what looks like a Response": () => ({ ok: true, status: 200, headers: new Headers(json), json: () => ({}) }),
  "a network error": () => Response.error(),
  "a Response that was read": async () => {
    const response = Response.json({})
    await response.text()
    return response
  },
  "a body of text chunks": () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue("{}")
          controller.close()
        },
      }),
    ),
  "an error": () => Promise.reject(new TypeError("fetch failed", { cause: new Error("proxy") })),
  "a text at once": () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what applications should not do either
    throw marker
  },
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as above
  "no reason": () => Promise.reject(),
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as above
  "a frozen reason": () => Promise.reject(Object.freeze({ marker })),
}

const suffixes = { discovery: "/openid-configuration", token: "/token", jwks: "/jwks", userinfo: "/userinfo" }

/** A site whose provider is asked by a `fetch` of the application, which does wrong at one endpoint until told otherwise. */
function openWithFetch({ endpoint, provider }: Place, wrong: () => unknown, given: Partial<AuthConfig> = {}) {
  const fault = { isOn: true }
  const site = openWatched((idp) => {
    const send = (url: string, init: RequestInit) =>
      fault.isOn && url.endsWith(suffixes[endpoint]) ? wrong() : idp.fetch(url, init)
    return { ...provider(idp), [customFetch]: send as typeof fetch }
  }, given)
  return { ...site, fault }
}

describe("F-39: a fetch of the application that gives", () => {
  const firstThree = Object.keys(results).slice(0, 3)
  const elsewhere = places.filter((place) => place !== atToken)
  const rows = [
    ...Object.keys(results).map((name) => ({ name, ...atToken })),
    ...firstThree.flatMap((name) => elsewhere.map((place) => ({ name, ...place }))),
  ]

  it.each(rows)("$name signs nobody in: at $endpoint ($kind)", async ({ name, ...place }) => {
    const site = openWithFetch(place, results[name] as () => unknown)

    await expectFailedCleanly(site, await attempt(site))

    site.fault.isOn = false
    await expectItWorksAgain(site)
  })

  it.failing.each(["nothing", "null", "no reason"])("%s is named in the log", async (name) => {
    const site = openWithFetch(atToken, results[name] as () => unknown)

    await attempt(site)

    expect(site.log.text()).not.toMatch(/\(undefined\)|Cannot read properties/)
  })
})

describe("F-34: what heeds no deadline", () => {
  const never = () => new Promise(() => undefined)
  const timeouts = { provider: 0.05 }

  it.each([
    ["a fetch", never],
    ["a body", () => new Response(new ReadableStream())],
  ])("is not waited for: %s of the application", async (_, wrong) => {
    const site = openWithFetch(atToken, wrong, { timeouts })

    await expectFailedCleanly(site, await attempt(site))
  })

  it("is not waited for: userinfo.request of a provider", async () => {
    const userinfo = { request: never as () => Promise<Profile> }
    const site = openWatched((idp) => oauthAt(idp, { userinfo }), { timeouts })

    await expectFailedCleanly(site, await attempt(site))
  })

  it("does not keep out whoever comes when time is up: a discovery", async () => {
    const site = openWithFetch(places[0] as Place, never, { timeouts })
    await site.browser.submit("signin/idp")
    site.fault.isOn = false

    await signIn({ ...site, browser: site.another() })
  })
})
