/** The proxies of the environment that the Express package is given. */
import { afterEach, expect, it } from "@jest/globals"
import express from "express"
import { createExpressAuth } from "../../src/express/express-auth.js"
import { portsIn } from "../../src/express/ports.js"
import { oidcAt } from "../support/core-flow.js"
import { openSite } from "../support/express-site.js"
import { FaultyProvider } from "../../src/testing/faulty-provider.js"
import { answerHonestly, LocalServers } from "../support/local-server.js"

const servers = new LocalServers()
afterEach(() => servers.close())

it("are used for what a sign-in asks of its provider", async () => {
  const proxy = await servers.listenAsProxy()
  const port = await servers.listen((request, response) => {
    void answerHonestly(idp, request).then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
  })
  const idp = new FaultyProvider(`http://idp.test:${port}`)
  const env = { AUTH_SECRET: "a secret of this test", HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }
  const app = express().use("/auth", createExpressAuth({ providers: [oidcAt(idp)] }, portsIn(env)))
  const browser = (await openSite(app)).browser()

  const started = await browser.post("/auth/signin/idp", { csrfToken: await browser.csrf() })
  const { pathname, search } = idp.approve(started.location)
  await browser.get(pathname + search)

  expect((await browser.get("/auth/session")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  expect(new Set(proxy.asked.map(({ to }) => to))).toEqual(new Set([`idp.test:${port}`]))
})
