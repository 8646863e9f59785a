/** The `fetch` that a provider's hooks are given. */
import { describe, expect, it } from "@jest/globals"
import { customFetch } from "../../../src/core/symbols.js"
import type { Profile } from "../../../src/core/types.js"
import GitHub from "../../../src/providers/github.js"
import type { OAuthConfig } from "../../../src/providers/kinds.js"
import { expectRefused, oauthAt, openSite, signIn } from "../../support/core-flow.js"
import { accessToken, FaultyProvider } from "../../../src/testing/faulty-provider.js"

interface Context {
  readonly provider: { readonly [customFetch]: typeof fetch }
}

/** A provider whose hook asks for the profile by the fetch that it is given. */
const hooked = (idp: FaultyProvider, given: object = {}): OAuthConfig =>
  oauthAt(idp, {
    userinfo: {
      request: async ({ provider }: Context) =>
        (await (await provider[customFetch](`${idp.issuer}/userinfo`)).json()) as Profile,
    },
    ...given,
  })

describe("the fetch of userinfo.request", () => {
  it("is that of the surroundings, where the provider has none", async () => {
    const site = openSite(hooked)

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
    expect(site.idp.last("userinfo").hasDeadline).toBe(true)
  })

  it("is the provider's own, if there is one", async () => {
    const idp = new FaultyProvider()
    const denied = { fetch: () => Promise.reject(new Error("not through here")) }
    const site = openSite((own) => hooked(own, { options: { [customFetch]: idp.fetch } }), {}, denied, idp)

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
  })

  it("gives no more than 256 KB", async () => {
    const site = openSite(hooked)
    site.idp.faults = { userinfo: (person) => ({ ...person, bio: "x".repeat(256 * 1024) }) }

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
    expect(site.log.text()).toContain("more than 262144 bytes")
  })

  it("heeds a signal that comes with the call", async () => {
    const aborted = AbortSignal.abort(new Error("thought better of it"))
    const request = async ({ provider }: Context) =>
      (await (await provider[customFetch]("https://idp.example/userinfo", { signal: aborted })).json()) as Profile
    const idp = new FaultyProvider()
    const heedful: typeof fetch = (input, init) => {
      init?.signal?.throwIfAborted()
      return idp.fetch(input, init)
    }
    const site = openSite(() => oauthAt(idp, { userinfo: { request } }), {}, { fetch: heedful }, idp)

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
    expect(site.log.text()).toContain("thought better of it")
  })

  it("is used by our own providers as well", async () => {
    const asked: string[] = []
    const answers: Readonly<Record<string, unknown>> = {
      "https://github.com/login/oauth/access_token": { access_token: accessToken, token_type: "bearer" },
      "https://api.github.com/user": { id: 1, login: "ada", email: "ada@example.com" },
    }
    const fetch = ((url: string) => {
      asked.push(url)
      return Promise.resolve(Response.json(answers[url]))
    }) as typeof globalThis.fetch
    const site = openSite(() => GitHub({ clientId: "client", clientSecret: "secret" }) as OAuthConfig, {}, { fetch })
    const callback = site.idp.approve(await site.browser.start("github"))
    callback.searchParams.set("iss", "https://github.com/login/oauth")

    await site.browser.get(callback.href)

    expect(await site.browser.session()).not.toBeNull()
    expect(asked).toEqual(Object.keys(answers))
  })
})
