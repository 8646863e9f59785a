/** Two vendors: Google, at which there is everybody, and GitHub, at which there is only Ann. */
import assert from "node:assert/strict"
import { customFetch } from "@auth/core"
import GitHub from "@auth/core/providers/github"
import Google from "@auth/core/providers/google"
import { openVendor, replaceFetch } from "./fake-vendor.mjs"

export const ann = {
  sub: "1001",
  name: "Ann",
  email: "ann@example.com",
  email_verified: true,
  picture: "https://pictures.example/ann.png",
}
export const bob = { sub: "1002", name: "Bob", email: "bob@example.com", email_verified: true }

const googleTokens = { expires_in: 3600, refresh_token: "google-refresh", scope: "openid email profile" }
const githubTokens = {
  expires_in: 28800,
  refresh_token: "github-refresh",
  // For which no adapter has a column.
  refresh_token_expires_in: 15811200,
  scope: "read:user,user:email",
}

/** The vendors replace the network until the test is over. */
export function openTwoVendors(t) {
  const vendors = {
    google: openVendor({ issuer: "https://accounts.google.com", tokens: googleTokens, claims: ann }),
    github: openVendor({
      token: "https://github.com/login/oauth/access_token",
      tokens: githubTokens,
      resources: {
        "https://api.github.com/user": { id: 7, login: "ann", name: "Ann", email: "ann@example.com", avatar_url: null },
      },
    }),
  }
  const vendorOf = (input) => (/google/.test(new Request(input).url) ? vendors.google : vendors.github)
  replaceFetch(t, (input, init) => vendorOf(input).fetch(input, init))

  const fixed = (name) => ({ clientId: name, clientSecret: "secret", [customFetch]: vendors[name].fetch })
  return {
    /** Written for Auth.js, new each time. */
    providers: (options) => [Google({ ...fixed("google"), ...options }), GitHub({ ...fixed("github"), ...options })],
    /** Starts a sign-in. @returns Where the vendor sends the browser back to. */
    async start(browser, name, person) {
      const { location } = await browser.submit(`/auth/signin/${name}`, { callbackUrl: "/cart" })
      const { answer } = vendors[name].consent(location, person)
      return `/auth/callback/${name}?${new URLSearchParams(answer)}`
    },
    /** @param person At Google; default: Ann. @returns The answer to the callback. */
    async answer(browser, name, person) {
      return browser.get(await this.start(browser, name, person))
    },
    /** A sign-in that must work. @returns The answer to the callback. */
    async signIn(browser, name, person) {
      const answer = await this.answer(browser, name, person)
      assert.equal(new URL(answer.location).pathname, "/cart", `where the sign-in led: ${answer.location}`)
      return answer
    },
  }
}
