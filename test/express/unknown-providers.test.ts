/** Paths that name a provider which does not exist, or none where one is needed. */
import { describe, expect, it } from "@jest/globals"
import { openApp } from "../support/express-apps.js"
import { isSessionCookie, setUp } from "../support/express-setup.js"
import { expressVersions } from "../support/express-versions.js"

describe.each(expressVersions)("a provider that does not exist, on $version", ({ express }) => {
  it.each(["/auth/callback/nobody", "/auth/signin/nobody", "/auth/callback/constructor", "/auth/callback/__proto__"])(
    "leads from %s to the error page, and the log names those that exist",
    async (path) => {
      const { auth, logged } = setUp()
      const site = await openApp(express, auth())
      const browser = site.browser()
      const csrfToken = await browser.csrf()

      for (const reply of [await browser.get(path), await browser.post(path, { csrfToken })]) {
        expect(reply).toMatchObject({ status: 302, location: `${site.origin}/auth/error?error=Configuration` })
        expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
      }
      expect(logged).toMatchObject([{ type: "InvalidProvider" }, { type: "InvalidProvider" }])
      expect(String(logged[0])).toContain(`"${path.slice(path.lastIndexOf("/") + 1)}"; available: credentials`)
    },
  )

  it.each(["/auth/callback", "/auth/callback/", "/auth/callback/undefined"])(
    "is no crash where the path names none: %s",
    async (path) => {
      const { auth, logged } = setUp()
      const site = await openApp(express, auth())

      for (const method of ["GET", "POST"]) {
        expect(await site.ask(path, { method })).toMatchObject({
          status: 302,
          location: `${site.origin}/auth/error?error=Configuration`,
        })
      }
      expect(logged).toMatchObject([{ type: "InvalidProvider" }, { type: "InvalidProvider" }])
    },
  )

  it("leads to the sign-in page where a sign-in names none", async () => {
    const site = await openApp(express, setUp().auth())
    const browser = site.browser()
    const csrfToken = await browser.csrf()

    for (const path of ["/auth/signin", "/auth/signin/undefined", "/auth/signin/credentials"]) {
      expect(await browser.post(path, { csrfToken })).toMatchObject({
        status: 302,
        location: `${site.origin}/auth/signin`,
      })
    }
  })
})
