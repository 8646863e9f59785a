/** Headers that every answer carries, whoever asks. */
import { describe, expect, it } from "@jest/globals"
import { openApp } from "../support/express-apps.js"
import { passwords, setUp } from "../support/express-setup.js"
import type { Reply } from "../support/express-site.js"
import { expressVersions } from "../support/express-versions.js"

const actions = [
  "providers",
  "csrf",
  "session",
  "signin",
  "signout",
  "verify-request",
  "error",
  "callback/nobody",
] as const
const pages = ["signin", "signout", "verify-request", "error", "error?error=AccessDenied"] as const

describe.each(expressVersions)("headers on $version", ({ express }) => {
  it.each(actions)("no cache keeps an answer of %s, signed in or out, right or wrong", async (action) => {
    const browser = (await openApp(express, setUp().auth())).browser()

    for (const isSignedIn of [false, true]) {
      if (isSignedIn) await browser.signIn()
      for (const method of ["GET", "HEAD", "POST", "DELETE"]) {
        expectPrivate(await browser.ask(`/auth/${action}`, { method }))
      }
    }
  })

  it("no cache keeps a sign-in, a sign-out, a refused body, or a problem of the configuration", async () => {
    const browser = (await openApp(express, setUp().auth())).browser()
    const broken = await openApp(express, setUp().auth({ secret: "" }))

    expectPrivate(await browser.signIn())
    expectPrivate(await browser.signOut())
    expectPrivate(await browser.signIn({ username: "mallory" }))
    expectPrivate(
      await browser.ask("/auth/session", {
        method: "POST",
        body: "{",
        headers: { "content-type": "application/json" },
      }),
    )
    expectPrivate(await broken.ask("/auth/session"))
    expectPrivate(await broken.ask("/auth/signin"))
  })

  it.each(pages)("the page %s may load nothing from elsewhere, and be shown in no frame", async (page) => {
    const site = await openApp(express, setUp().auth({ providers: [passwords()] }))

    const { headers, text } = await site.ask(`/auth/${page}`)

    const policy = String(headers["content-security-policy"])
    for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
      expect(policy).toContain(directive)
    }
    const [, nonce = "none"] = /style-src 'nonce-([^']+)'/.exec(policy) ?? []
    expect(text).toContain(`nonce="${nonce}"`)
    expect(policy).not.toMatch(/script-src|unsafe/)
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "referrer-policy": expect.stringMatching(/^(?:same-origin|no-referrer)$/),
    })
    expect(text).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/)
  })

  it("a page's nonce is another one each time", async () => {
    const site = await openApp(express, setUp().auth())

    const [first, second] = [await site.ask("/auth/signin"), await site.ask("/auth/signin")]

    expect(first.headers["content-security-policy"]).not.toBe(second.headers["content-security-policy"])
  })

  it("every redirect stays on the site", async () => {
    const site = await openApp(express, setUp().auth())
    const browser = site.browser()
    const csrfToken = await browser.csrf()

    for (const callbackUrl of [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "/\t/evil.example",
      "javascript:alert(1)",
      "data:text/html,x",
      `${site.origin}@evil.example`,
      `${site.origin}.evil.example`,
      "https:evil.example",
      "",
      "relative",
      "/ok\r\nSet-Cookie: a=b",
    ]) {
      for (const path of ["/auth/signout", "/auth/callback/credentials", "/auth/signin"]) {
        const reply = await browser.post(path, { csrfToken, callbackUrl, username: "ada" })
        expect(new URL(reply.location).origin).toBe(site.origin)
        expect(reply.headers["a"]).toBeUndefined()
      }
      const page = await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`)
      expect(page.status).toBe(200)
      expect(page.text).not.toContain('evil.example"')
    }
  })
})

function expectPrivate({ status, headers }: Reply): void {
  expect([status, headers["cache-control"]]).toEqual([status, expect.stringMatching(/(?=.*private)(?=.*no-store)/)])
  expect([status, headers.vary]).toEqual([status, "Cookie"])
}
