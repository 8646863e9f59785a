import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { expectRefused, oauthAt, oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import { accessToken, type FaultyProvider } from "../../../../src/testing/faulty-provider.js"
import { customFetch } from "../../../../src/core/symbols.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

function withPushedRequests({ fetch: send, issuer }: FaultyProvider): typeof fetch {
  return (input, init) =>
    input === `${issuer}/par`
      ? Promise.resolve(Response.json({ request_uri: "urn:x", expires_in: 60 }, { status: 201 }))
      : send(input, init)
}

describe("token.conform", () => {
  it("mends a response that is not as it should be", async () => {
    const conform = jest.fn(async (response: Response) => {
      const { authed_user } = (await response.json()) as { authed_user: object }
      return Response.json({ ...authed_user, token_type: "Bearer" })
    })
    const site = openSite((idp) => oauthAt(idp, { token: { url: `${idp.issuer}/token`, conform } }))
    site.idp.faults = { token: () => ({ ok: true, authed_user: { access_token: accessToken } }) }

    await signIn(site)

    expect(conform).toHaveBeenCalledTimes(1)
    expect(await site.browser.session()).not.toBeNull()
  })

  it("may read its copy and leave the response as it is", async () => {
    const conform = jest.fn(async (response: Response) => {
      await response.text()
      return undefined
    })
    const site = openSite((idp) => oauthAt(idp, { token: { url: `${idp.issuer}/token`, conform } }))

    await signIn(site)

    expect(conform).toHaveBeenCalledTimes(1)
    expect(await site.browser.session()).not.toBeNull()
  })

  it("sees responses of the token endpoint alone", async () => {
    const urls: string[] = []
    const site = openSite((idp) => ({
      ...oauthAt(idp),
      type: "oidc",
      issuer: idp.issuer,
      idToken: false,
      token: { conform: (response: Response) => (urls.push(response.url), undefined) },
    }))

    await signIn(site)

    expect(urls).toHaveLength(1)
    expect(site.idp.count("userinfo")).toBe(1)
  })

  it("does not see the answer to a pushed authorization request, which is posted, too", async () => {
    const conform = jest.fn(() => undefined)
    const { browser, idp } = openSite((idp) =>
      oidcAt(idp, { token: { conform }, [customFetch]: withPushedRequests(idp) }),
    )
    idp.faults = {
      discovery: (document) => ({
        ...document,
        pushed_authorization_request_endpoint: `${idp.issuer}/par`,
        require_pushed_authorization_requests: true,
      }),
    }

    const url = await browser.start("idp")

    expect(url.searchParams.get("request_uri")).toBe("urn:x")
    expect(conform).not.toHaveBeenCalled()
  })

  it("that throws is a failed sign-in", async () => {
    const conform = () => {
      throw new Error("what is this?")
    }
    const site = openSite((idp) => oauthAt(idp, { token: { url: `${idp.issuer}/token`, conform } }))

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
  })
})
