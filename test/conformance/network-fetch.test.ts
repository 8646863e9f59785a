/** A `fetch` of the application that does wrong: F-39, F-34. */
import { Readable } from "node:stream"
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../src/core/index.js"
import { customFetch } from "../../src/core/symbols.js"
import type { Profile } from "../../src/core/types.js"
import { freezeClock, releaseClock } from "../support/core-clock.js"
import { oauthAt, signIn } from "../support/core-flow.js"
import {
  attempt,
  atToken,
  expectFailedCleanly,
  expectItWorksAgain,
  json,
  marker,
  oidc,
  openWatched,
  places,
  type Place,
} from "../support/watched-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

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

  it("answers whose bodies are streams of Node signs in: those of other packages are", async () => {
    const site = openWatched((idp) => {
      const send = async (url: string, init: RequestInit) => {
        const answer = await idp.fetch(url, init)
        const { status, headers } = answer
        return { ok: answer.ok, status, headers, body: Readable.from([Buffer.from(await answer.arrayBuffer())]) }
      }
      return { ...oidc(idp), [customFetch]: send as unknown as typeof fetch }
    })

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
  })

  it.each(["nothing", "null", "no reason"])("%s is named in the log", async (name) => {
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
