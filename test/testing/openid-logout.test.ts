/** Single sign-on and logout at the local provider. */
import { createServer } from "node:http"
import { afterEach, describe, expect, it } from "@jest/globals"
import { createRemoteJWKSet, jwtVerify } from "jose"
import * as client from "openid-client"
import type { OpenIDProvider, OpenIDProviderOptions } from "../../src/testing/index.js"
import { close, listen } from "../../src/testing/local-server.js"
import { openBrowser, type Visit } from "./open-browser.js"
import { begin, complete, providers, signIn } from "./openid-flow.js"

const start = providers()
const afterLogout = "http://localhost:4999/signed-out"

const openTab = () => openBrowser("http://localhost:4999/")

async function chooseInto(provider: OpenIDProvider, visit: Visit, account: string) {
  const flow = await begin(provider)
  const page = await visit(flow.address)
  return { ...flow, tokens: await complete(flow, (await visit(page.url, { account })).url) }
}

function logoutUrl(config: client.Configuration, parameters: Readonly<Record<string, string>>): URL {
  return client.buildEndSessionUrl(config, { post_logout_redirect_uri: afterLogout, state: "after", ...parameters })
}

describe("a provider that remembers browsers", () => {
  const options: OpenIDProviderOptions = { login: "page", remembersBrowser: true }

  it("asks once, whatever is asked for later", async () => {
    const provider = await start(options)
    const visit = openTab()
    await chooseInto(provider, visit, "grace")

    const { tokens } = await signIn(provider, { scope: "openid profile email phone" }, visit)

    expect(tokens.claims()).toMatchObject({ sub: "grace" })
  })

  it("asks another browser", async () => {
    const provider = await start(options)
    await chooseInto(provider, openTab(), "grace")
    expect((await openTab()((await begin(provider)).address)).text).toContain("Choose who to be")
  })

  it("asks again with prompt=login, and lets another one sign in", async () => {
    const provider = await start(options)
    const visit = openTab()
    await chooseInto(provider, visit, "grace")

    const flow = await begin(provider, { prompt: "login" })
    const page = await visit(flow.address)
    expect(page.text).toContain("Choose who to be")
    const { url } = await visit(page.url, { account: "ada" })

    expect((await complete(flow, url)).claims()).toMatchObject({ sub: "ada" })
  })

  it("asks again after a logout", async () => {
    const provider = await start(options)
    const visit = openTab()
    const { config, tokens } = await chooseInto(provider, visit, "grace")
    await visit(logoutUrl(config, { id_token_hint: tokens.id_token ?? "" }))
    expect((await visit((await begin(provider)).address)).text).toContain("Choose who to be")
  })
})

describe("a logout that the application asks for", () => {
  it("is done at once for whoever the ID token names", async () => {
    const provider = await start({ login: "page", remembersBrowser: true })
    const visit = openTab()
    const { config, tokens } = await chooseInto(provider, visit, "ada")
    const { url } = await visit(logoutUrl(config, { id_token_hint: tokens.id_token ?? "" }))
    expect(url.href).toBe(`${afterLogout}?state=after`)
  })

  it("is done at once under automatic, ID token or not", async () => {
    const provider = await start({ remembersBrowser: true })
    const visit = openTab()
    const { config } = await signIn(provider, {}, visit)
    const { url } = await visit(logoutUrl(config, { client_id: provider.clientId }))
    expect(url.href).toBe(`${afterLogout}?state=after`)
  })

  it("is done at once where nobody is signed in", async () => {
    const provider = await start({ login: "page" })
    const { config } = await begin(provider)
    const { url } = await openTab()(logoutUrl(config, { client_id: provider.clientId }))
    expect(url.href).toBe(`${afterLogout}?state=after`)
  })

  it("asks whoever is not named under page", async () => {
    const provider = await start({ login: "page", remembersBrowser: true })
    const visit = openTab()
    const { config } = await chooseInto(provider, visit, "ada")

    const page = await visit(logoutUrl(config, { client_id: provider.clientId }))
    expect(page.text).toContain("Sign out here too?")
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? ""
    const { url } = await visit(new URL("/session/end/confirm", provider.issuer), { xsrf, logout: "yes" })

    expect(url.href).toBe(`${afterLogout}?state=after`)
    expect((await visit((await begin(provider)).address)).text).toContain("Choose who to be")
  })

  it("is not confirmed by an address that another site made", async () => {
    const provider = await start({ remembersBrowser: true })
    const visit = openTab()
    await signIn(provider, {}, visit)
    const { status } = await visit(new URL("/session/end/confirm?xsrf=guessed&logout=yes", provider.issuer))
    expect(status).toBe(400)
  })

  it("ends on a page of the provider when no address is named", async () => {
    const provider = await start()
    const { config } = await begin(provider)
    const url = client.buildEndSessionUrl(config, { client_id: provider.clientId })
    expect(await openTab()(url)).toMatchObject({ status: 200, text: expect.stringContaining("You have signed out") })
  })

  it("sends nobody off this machine", async () => {
    const provider = await start()
    const { config } = await begin(provider)
    const url = logoutUrl(config, { client_id: provider.clientId, post_logout_redirect_uri: "https://evil.example/" })
    expect(await openTab()(url)).toMatchObject({
      status: 400,
      text: expect.stringContaining("post_logout_redirect_uri"),
    })
  })
})

describe("back-channel logout", () => {
  const applications: (() => Promise<void>)[] = []
  afterEach(async () => {
    await Promise.all(applications.splice(0).map((stop) => stop()))
  })

  async function startApplication(status = 200) {
    const bodies: string[] = []
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => (body += String(chunk)))
      request.on("end", () => {
        bodies.push(body)
        response.writeHead(status).end()
      })
    })
    const uri = `http://${await listen(server, 0)}/logout`
    applications.push(() => close(server))
    const tokens = () => bodies.map((body) => new URLSearchParams(body).get("logout_token") ?? "")
    return { uri, tokens }
  }

  function verify({ issuer, clientId }: OpenIDProvider, token: string) {
    const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
    return jwtVerify(token, keys, { issuer, audience: clientId, typ: "logout+jwt" })
  }

  it("tells the application which session has ended", async () => {
    const application = await startApplication()
    const provider = await start({ backchannelLogoutUri: application.uri })
    const visit = openTab()
    const { config, tokens } = await signIn(provider, {}, visit)

    await visit(logoutUrl(config, { id_token_hint: tokens.id_token ?? "" }))

    const [token = ""] = application.tokens()
    const { payload } = await verify(provider, token)
    expect(payload).toMatchObject({
      sub: "ada",
      sid: tokens.claims()?.sid,
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    })
    expect(tokens.claims()?.sid).toEqual(expect.any(String))
    expect(provider.logouts).toEqual([{ clientId: provider.clientId, ok: true }])
  })

  it("follows when the provider ends the sessions of a person, and theirs alone", async () => {
    const application = await startApplication()
    const provider = await start({ backchannelLogoutUri: application.uri, remembersBrowser: true })
    const visit = openTab()
    const { tokens } = await signIn(provider, { login_hint: "grace" }, visit)
    await signIn(provider, { login_hint: "ada" })

    await provider.endSessions("grace")

    const sent = await Promise.all(application.tokens().map((token) => verify(provider, token)))
    expect(sent.map(({ payload }) => [payload.sub, payload.sid])).toEqual([["grace", tokens.claims()?.sid]])
    expect((await signIn(provider, {}, visit)).tokens.claims()).toMatchObject({ sub: "ada" })
  })

  it("tells when the application did not accept it", async () => {
    const application = await startApplication(400)
    const provider = await start({ backchannelLogoutUri: application.uri })
    await signIn(provider)
    await provider.endSessions("ada")
    expect(provider.logouts).toEqual([{ clientId: provider.clientId, ok: false }])
  })

  it("is not spoken of where no address was given", async () => {
    const provider = await start()
    const { tokens } = await signIn(provider)
    await provider.endSessions("ada")
    expect(tokens.claims()).not.toHaveProperty("sid")
    expect(provider.logouts).toEqual([])
  })
})
