/** The faulty provider as a server. */
import { afterEach, describe, expect, it } from "@jest/globals"
import * as client from "openid-client"
import {
  startFaultyProvider,
  type FaultyProviderOptions,
  type RunningFaultyProvider,
  type TransportFault,
} from "../../src/testing/index.js"
import { openBrowser } from "./open-browser.js"
import { complete, discover, parametersOf, redirectUri } from "./openid-flow.js"

const running: RunningFaultyProvider[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()))
})

async function start(options?: FaultyProviderOptions): Promise<RunningFaultyProvider> {
  const provider = await startFaultyProvider(options)
  running.push(provider)
  return provider
}

async function begin(idp: RunningFaultyProvider, more: Readonly<Record<string, string>> = {}) {
  const config = await discover(idp)
  const verifier = client.randomPKCECodeVerifier()
  return { config, verifier, address: client.buildAuthorizationUrl(config, await parametersOf(verifier, more)) }
}

describe("a faulty provider that does nothing wrong", () => {
  it("signs in whoever comes, refreshes their tokens, and counts the requests", async () => {
    const idp = await start({ person: { sub: "grace", name: "Grace Hopper" } })
    const flow = await begin(idp)
    const tokens = await complete(flow, (await openBrowser(redirectUri)(flow.address)).url)
    const refreshed = await client.refreshTokenGrant(flow.config, tokens.refresh_token ?? "")

    expect(tokens.claims()).toMatchObject({ sub: "grace", name: "Grace Hopper" })
    expect(await client.fetchUserInfo(flow.config, refreshed.access_token, "grace")).toMatchObject({ sub: "grace" })
    expect(idp.provider.requests.map(({ endpoint }) => endpoint)).toEqual([
      "discovery",
      "authorize",
      "token",
      "token",
      "userinfo",
    ])
    expect(idp.provider.last("userinfo").headers.get("authorization")).toBe(`Bearer ${refreshed.access_token}`)
  })

  it("lets the browser post the answer for response_mode=form_post, with a button too", async () => {
    const idp = await start()
    const { address } = await begin(idp, { response_mode: "form_post", state: `"><script>` })
    const { text, status } = await openBrowser(redirectUri)(address)

    expect(status).toBe(200)
    expect(text).toContain(`<form method="post" action="${redirectUri}">`)
    expect(text).toMatch(/<input type="hidden" name="code" value="code-1-[\w-]+">/)
    expect(text).toContain(`name="state" value="&quot;&gt;&lt;script&gt;"`)
    expect(text).toContain("<button>Go on</button>")
    expect(text).toContain("document.forms[0].submit()")
  })

  it("ends a session, and sends the browser back", async () => {
    const { config } = await begin(await start())
    const url = client.buildEndSessionUrl(config, { post_logout_redirect_uri: redirectUri, state: "after" })
    expect((await openBrowser(redirectUri)(url)).url.href).toBe(`${redirectUri}?state=after`)
  })

  it("answers what it does not know with 404", async () => {
    const idp = await start()
    expect((await fetch(`${idp.issuer}/favicon.ico`)).status).toBe(404)
  })
})

describe("faults", () => {
  it("can be changed while it runs", async () => {
    const idp = await start({ faults: { userinfo: () => ({ sub: "one" }) } })
    const ask = async () => (await fetch(`${idp.issuer}/userinfo`)).text()
    expect(await ask()).toBe('{"sub":"one"}')
    idp.provider.faults = {}
    expect(await ask()).toContain('"sub":"ada"')
  })

  it("that throw break the connection", async () => {
    const broken = () => {
      throw new Error("as asked")
    }
    const idp = await start({ faults: { userinfo: broken } })
    await expect(fetch(`${idp.issuer}/userinfo`)).rejects.toThrow()
  })
})

describe("faults of the transport", () => {
  const at = (fault: TransportFault) => start({ faults: { transport: () => fault } })
  const ask = (idp: RunningFaultyProvider, init: RequestInit = {}) => fetch(`${idp.issuer}/userinfo`, init)

  it("silent: nothing ever comes, though the request has had its effect", async () => {
    const idp = await at("silent")
    const impatience = new AbortController()
    const answer = ask(idp, { signal: impatience.signal })
    while (idp.provider.count("userinfo") === 0) await new Promise(setImmediate)
    impatience.abort()
    await expect(answer).rejects.toThrow("abort")
  })

  it("silent: in process as well, until the signal", async () => {
    const { provider } = await at("silent")
    const impatience = new AbortController()
    const answer = provider.fetch(`${provider.issuer}/userinfo`, { signal: impatience.signal })
    impatience.abort()
    await expect(answer).rejects.toThrow("abort")
  })

  it("reset: the connection breaks in the middle of the body", async () => {
    const response = await ask(await at("reset"))
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  it("endless: more and more comes", async () => {
    const reader = (await ask(await at("endless"))).body?.getReader()
    let bytes = 0
    for (; bytes < 1_000_000; bytes += (await reader?.read())?.value?.length ?? Infinity);
    expect(bytes).toBeLessThan(Infinity)
    await reader?.cancel()
  })

  it("slow: one byte comes", async () => {
    const reader = (await ask(await at("slow"))).body?.getReader()
    expect((await reader?.read())?.value).toEqual(new TextEncoder().encode("{"))
    await reader?.cancel()
  })

  it("redirect: leads to where nothing is", async () => {
    const idp = await at("redirect")
    const response = await ask(idp, { redirect: "manual" })
    expect([response.status, response.headers.get("location")]).toEqual([302, `${idp.issuer}/elsewhere`])
  })

  it("strike the requests that are chosen alone", async () => {
    const transport = ({ endpoint }: { endpoint: string }) => (endpoint === "userinfo" ? "reset" : undefined)
    const idp = await start({ faults: { transport } })
    expect(await (await fetch(`${idp.issuer}/jwks`)).json()).toHaveProperty("keys")
    await expect(ask(idp).then((response) => response.text())).rejects.toThrow()
  })
})

describe("startFaultyProvider", () => {
  const { NODE_ENV } = process.env
  afterEach(() => {
    process.env.NODE_ENV = NODE_ENV
  })

  it("does not start in production", async () => {
    process.env.NODE_ENV = "production"
    await expect(start()).rejects.toThrow("NODE_ENV=production")
  })

  it("rejects when its port is taken", async () => {
    const port = Number(new URL((await start()).issuer).port)
    await expect(start({ port })).rejects.toThrow("EADDRINUSE")
  })

  it("stops although somebody waits for an answer", async () => {
    const idp = await start({ faults: { transport: () => "silent" } })
    const answer = fetch(`${idp.issuer}/userinfo`)
    while (idp.provider.count("userinfo") === 0) await new Promise(setImmediate)
    await idp.close()
    await expect(answer).rejects.toThrow()
  })
})
