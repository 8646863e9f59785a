/** Providers whose answers are none: F-32, F-38. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { customFetch } from "../../src/core/symbols.js"
import GitHub from "../../src/providers/github.js"
import type { OAuthConfig } from "../../src/providers/kinds.js"
import { freezeClock, releaseClock } from "../support/core-clock.js"
import { accessToken, type Faults } from "../../src/testing/faulty-provider.js"
import {
  attempt,
  expectFailedCleanly,
  expectItWorksAgain,
  json,
  marker,
  oauth,
  oidc,
  openWatched,
  places,
  type Endpoint,
  type Place,
} from "../support/watched-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

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
  it.each<Place>(places.filter(({ endpoint }) => endpoint !== "jwks"))(
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

  it("is refused when it is keys under another content type", async () => {
    const site = openWatched(oidc)
    site.idp.faults = faultAt("jwks", (honest) => new Response(honest, { headers: { "content-type": "text/html" } }))

    await expectFailedCleanly(site, await attempt(site))
  })

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
