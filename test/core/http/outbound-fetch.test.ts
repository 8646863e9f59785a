/** The proxies that the environment names: demand 36. */
import { afterEach, describe, expect, it } from "@jest/globals"
import { outboundFetch as onTheWeb } from "../../../src/core/http/fetch.web.js"
import { outboundFetch } from "../../../src/core/http/fetch.node.js"
import type { Env } from "../../../src/core/http/origin.js"
import { locationOf } from "../../support/core-browser.js"
import { expectRefused, oidcAt, openSite, signIn } from "../../support/core-flow.js"
import { FaultyProvider } from "../../../src/testing/faulty-provider.js"
import { answerHonestly, LocalServers } from "../../support/local-server.js"

const servers = new LocalServers()
afterEach(() => servers.close())

/** A server that greets whoever asks, and a proxy that knows the way to it. */
async function setUp() {
  const port = await servers.listen((request, response) => response.end(`hello ${request.headers.host}`))
  const proxy = await servers.listenAsProxy()
  return { port, asked: proxy.asked, proxyUrl: `http://127.0.0.1:${proxy.port}` }
}

async function textOf(env: Env, url: string): Promise<string> {
  return (await outboundFetch(env)(url)).text()
}

describe("a request", () => {
  it.each(["HTTP_PROXY", "http_proxy"])("goes through %s", async (name) => {
    const { port, asked, proxyUrl } = await setUp()

    expect(await textOf({ [name]: proxyUrl }, `http://idp.test:${port}/`)).toBe(`hello idp.test:${port}`)
    expect(asked).toEqual([{ to: `idp.test:${port}`, authorization: undefined }])
  })

  it.each(["HTTPS_PROXY", "https_proxy"])("to https goes through %s", async (name) => {
    const proxy = await servers.listenAsProxy(() => 403)
    const env = { [name]: `http://127.0.0.1:${proxy.port}` }

    await expect(outboundFetch(env)("https://idp.test/")).rejects.toThrow("the environment names a proxy")
    expect(proxy.asked.map(({ to }) => to)).toEqual(["idp.test:443"])
  })

  it("goes by the name in lower case first, which may lack its scheme", async () => {
    const { port, asked, proxyUrl } = await setUp()
    const env = { HTTP_PROXY: "http://127.0.0.1:1", http_proxy: proxyUrl.replace("http://", "") }

    await textOf(env, `http://idp.test:${port}/`)

    expect(asked).toHaveLength(1)
  })

  it.each(["127.0.0.1", "localhost"])("to this machine goes there directly: %s", async (host) => {
    const { port, asked, proxyUrl } = await setUp()

    expect(await textOf({ HTTP_PROXY: proxyUrl }, `http://${host}:${port}/`)).toBe(`hello ${host}:${port}`)
    expect(asked).toEqual([])
  })

  it.each(["idp.test", ".test", "a.example, idp.test", "*"])("does not where NO_PROXY is %s", async (hosts) => {
    const { port, asked, proxyUrl } = await setUp()
    const env = { HTTP_PROXY: proxyUrl, NO_PROXY: hosts }

    // Nobody but the proxy knows the name.
    await expect(textOf(env, `http://idp.test:${port}/`)).rejects.toThrow()
    expect(asked).toEqual([])
  })

  it("still does where NO_PROXY is of others", async () => {
    const { port, asked, proxyUrl } = await setUp()

    await textOf({ HTTP_PROXY: proxyUrl, NO_PROXY: "other.test" }, `http://idp.test:${port}/`)

    expect(asked).toHaveLength(1)
  })

  it("tells the proxy its credentials", async () => {
    const { port, asked, proxyUrl } = await setUp()
    const HTTP_PROXY = proxyUrl.replace("http://", "http://ann:pass%40word@")

    await textOf({ HTTP_PROXY }, `http://idp.test:${port}/`)

    expect(asked.map(({ authorization }) => authorization)).toEqual([`Basic ${btoa("ann:pass@word")}`])
  })

  it("goes through a proxy that is set later", async () => {
    const { port, asked, proxyUrl } = await setUp()
    const env: Record<string, string> = {}
    const send = outboundFetch(env)
    await (await send(`http://127.0.0.1:${port}/`)).text()
    env["HTTP_PROXY"] = proxyUrl

    await (await send(new Request(`http://idp.test:${port}/`, { method: "POST", body: "x=1" }))).text()

    expect(asked).toHaveLength(1)
  })

  it("has an answer of the platform's own class", async () => {
    const { port, proxyUrl } = await setUp()

    const answer = await outboundFetch({ HTTP_PROXY: proxyUrl })(`http://idp.test:${port}/`)

    expect(answer).toBeInstanceOf(Response)
  })

  it.each(["socks5://ann:s3cret@proxy.test", "http://ann:s3cret@:x", "http://"])(
    "fails where the variable is no such address, which is not repeated: %s",
    async (HTTPS_PROXY) => {
      const failure: unknown = await outboundFetch({ HTTPS_PROXY })("https://idp.test/").catch(
        (error: unknown) => error,
      )

      expect(String(failure)).toMatch(/HTTPS_PROXY is set, but not to the address/)
      expect(String(failure)).not.toContain("s3cret")
    },
  )

  it("is the platform's own affair where there is no Node", async () => {
    const { port } = await setUp()

    expect(await (await onTheWeb()(`http://127.0.0.1:${port}/`)).text()).toBe(`hello 127.0.0.1:${port}`)
  })
})

/** A site whose provider is known to the proxy alone. */
async function openBehindProxy(refuse?: () => number | undefined) {
  const proxy = await servers.listenAsProxy(refuse)
  const port = await servers.listen((request, response) => {
    void answerHonestly(idp, request).then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
  })
  const idp = new FaultyProvider(`http://idp.test:${port}`)
  const env = { HTTP_PROXY: `http://ann:s3cret@127.0.0.1:${proxy.port}` }
  const ports = { development: true, fetch: outboundFetch(env) }
  return { ...openSite((own) => oidcAt(own, { idToken: false }), {}, ports, idp), asked: proxy.asked }
}

describe("F-39: a sign-in behind a proxy", () => {
  it("asks the provider by way of it, whatever it asks", async () => {
    const site = await openBehindProxy()

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
    expect(site.idp.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery", "token", "jwks", "userinfo"])
    expect(new Set(site.asked.map(({ to }) => to))).toEqual(new Set([new URL(site.idp.issuer).host]))
  })

  it.each([403, 407, 502])(
    "that refuses fails, and the log names the proxy without its credentials: %i",
    async (status) => {
      const site = await openBehindProxy(() => status)

      const response = await site.browser.submit("signin/idp")

      await expectRefused(site.browser, response, ["Configuration"])
      expect(locationOf(response)).not.toContain("s3cret")
      expect(site.log.text()).toContain("the environment names a proxy")
      expect(site.log.text()).toContain(String(status))
      expect(site.log.text()).not.toContain("s3cret")
      expect(site.log.text()).not.toContain(btoa("ann:s3cret"))
    },
  )
})
