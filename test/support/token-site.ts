/** A real Express app that calls a provider's API for whoever is signed in. */
import express, { type ErrorRequestHandler } from "express"
import { expect } from "@jest/globals"
import { createExpressAuth } from "../../src/express/express-auth.js"
import type { AuthConfig } from "../../src/index.js"
import type { AccessTokenOptions } from "../../src/core/provider-tokens/tokens.js"
import { FaultyProvider } from "../../src/testing/faulty-provider.js"
import { oidcAt } from "./core-flow.js"
import type { Browser } from "./express-browser.js"
import { secret } from "./express-setup.js"
import { openSite, type Reply, type Site } from "./express-site.js"

export interface TokenSite extends Site {
  /** Everything that was logged. */
  readonly logged: Error[]
}

/** What several processes of one site share: the provider, the time, and the configuration. */
export class TokenWorld {
  readonly idp = new FaultyProvider()
  /** Seconds by which these servers' time is ahead. */
  ahead = 0
  /** The provider cannot be reached. */
  isDown = false
  constructor(readonly config: Partial<AuthConfig> = {}) {
    // Less than half a minute is left of it after `expireSoon`, and nothing after `expire`.
    this.idp.accessTokenLifetime = 120
  }

  expireSoon(): void {
    this.ahead += 91
  }

  expire(): void {
    this.ahead += 150
  }

  /** One process of the site. `GET /token` answers with the token, or with what was thrown. */
  async open(config: Partial<AuthConfig> = {}): Promise<TokenSite> {
    const logged: Error[] = []
    const auth = createExpressAuth(
      {
        secret,
        providers: [oidcAt(this.idp)],
        logger: { error: (error) => void logged.push(error), warn: () => undefined },
        ...this.config,
        ...config,
      },
      { env: {}, now: () => Date.now() + this.ahead * 1000, fetch: (input, init) => this.#reach(input, init) },
    )
    const app = express()
    app.use("/auth", auth)
    app.get("/token{/:provider}", async (req, res) => {
      const { provider = "idp" } = req.params as { provider?: string }
      res.json(await auth.getAccessToken(req, provider, optionsOf(req.query)))
    })
    app.get("/late", async (req, res) => {
      res.flushHeaders()
      const outcome = await auth.getAccessToken(req, "idp").catch((error: unknown) => ({ error: String(error) }))
      res.end(JSON.stringify(outcome))
    })
    app.use(((error: Error & { status?: number; reason?: string }, _req, res, _next) => {
      res.status(error.status ?? 500).json({ name: error.name, reason: error.reason, message: error.message })
    }) satisfies ErrorRequestHandler)
    return { ...(await openSite(app)), logged }
  }

  #reach(...request: Parameters<typeof fetch>): Promise<Response> {
    return this.isDown ? Promise.reject(new TypeError("fetch failed")) : this.idp.fetch(...request)
  }

  /** Signs in as the provider's `person`. */
  async signIn(browser: Browser, provider = "idp"): Promise<void> {
    const { location } = await browser.post(`/auth/signin/${provider}`, { csrfToken: await browser.csrf() })
    const { pathname, search } = this.idp.approve(location)
    const answer = await browser.get(pathname + search)
    expect({ status: answer.status, to: answer.location }).toEqual({
      status: 302,
      to: expect.not.stringContaining("error"),
    })
  }
}

function optionsOf(query: Readonly<Record<string, unknown>>): AccessTokenOptions {
  return { refresh: query["refresh"] === "yes" }
}

/** The access token of an answer. */
export function tokenOf({ status, json }: Reply): string {
  expect(status).toBe(200)
  return (json as { accessToken: string }).accessToken
}
