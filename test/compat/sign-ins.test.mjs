/** Whole sign-ins with published providers: both packages end up with the same user, account and profile. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { customFetch } from "@auth/core"
import { authJsApp, configuration, latchkeyApp } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { noNetwork, openVendor, replaceFetch } from "./support/fake-vendor.mjs"
import { openSite } from "./support/site.mjs"
import { loadFactory } from "./support/published-providers.mjs"

const pictures = "https://pictures.example"
const tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
const microsoft = "https://login.microsoftonline.com"

/**
 * `vendor` is what the vendor says, `user` what becomes of it, `id` the account's id.
 * `direct` lists the hosts that the published provider calls by itself, whatever fetch it was given.
 */
const signIns = [
  {
    module: "github",
    vendor: {
      token: "https://github.com/login/oauth/access_token",
      tokens: { token_type: "bearer", scope: "read:user,user:email" },
      resources: {
        "https://api.github.com/user": {
          id: 583231,
          login: "octocat",
          name: null,
          email: null,
          avatar_url: `${pictures}/octocat`,
        },
        "https://api.github.com/user/emails": [
          { email: "old@github.example", primary: false, verified: true },
          { email: "Octocat@GitHub.example", primary: true, verified: true },
        ],
      },
    },
    direct: ["api.github.com"],
    user: { name: "octocat", email: "octocat@github.example", image: `${pictures}/octocat` },
    id: "583231",
  },
  {
    module: "google",
    vendor: {
      issuer: "https://accounts.google.com",
      tokens: { expires_in: 3599, scope: "openid profile email", refresh_token: "refresh" },
      claims: {
        sub: "1099",
        name: "Ann Other",
        email: "Ann@Google.example",
        email_verified: true,
        picture: `${pictures}/1099`,
      },
    },
    user: { name: "Ann Other", email: "ann@google.example", image: `${pictures}/1099` },
    id: "1099",
  },
  {
    module: "discord",
    vendor: {
      token: "https://discord.com/api/oauth2/token",
      tokens: { expires_in: 604800, refresh_token: "refresh", scope: "identify email" },
      resources: {
        "https://discord.com/api/users/@me": {
          id: "80351110224678912",
          username: "nelly",
          global_name: "Nelly",
          discriminator: "0",
          avatar: "a_8342729096ea3675442027381ff50dfe",
          email: "nelly@discord.example",
          verified: true,
        },
      },
    },
    user: {
      name: "Nelly",
      email: "nelly@discord.example",
      image: "https://cdn.discordapp.com/avatars/80351110224678912/a_8342729096ea3675442027381ff50dfe.gif",
    },
    id: "80351110224678912",
  },
  {
    module: "apple",
    formPost: { user: JSON.stringify({ name: { firstName: "Ann", lastName: "Other" }, email: "ann@apple.example" }) },
    vendor: {
      issuer: "https://appleid.apple.com",
      // Apple has none.
      endpoints: { userinfo_endpoint: undefined },
      tokens: { expires_in: 3600, refresh_token: "refresh" },
      claims: { sub: "000123.abc.0456", email: "ann@apple.example", email_verified: true },
    },
    user: { name: "Ann Other", email: "ann@apple.example", image: null },
    id: "000123.abc.0456",
  },
  {
    title: "apple, the second time, without a name",
    module: "apple",
    formPost: {},
    vendor: {
      issuer: "https://appleid.apple.com",
      endpoints: { userinfo_endpoint: undefined },
      claims: { sub: "000123.abc.0456", email: "ann@apple.example", email_verified: "true" },
    },
    user: { name: "ann@apple.example", email: "ann@apple.example", image: null },
    id: "000123.abc.0456",
  },
  {
    title: "microsoft-entra-id, any tenant",
    module: "microsoft-entra-id",
    vendor: {
      issuer: `${microsoft}/{tenantid}/v2.0`,
      discovery: `${microsoft}/common/v2.0/.well-known/openid-configuration`,
      tokens: { expires_in: 3600, scope: "openid profile email User.Read" },
      claims: {
        iss: `${microsoft}/${tenant}/v2.0`,
        tid: tenant,
        sub: "AAAAAAAA",
        name: "Ann Other",
        email: "ann@microsoft.example",
      },
      resources: {
        "https://graph.microsoft.com/v1.0/me/photos/48x48/$value": new Uint8Array([1, 2, 3]),
        // For Auth.js, which looks at the tenant's own document as well.
        [`${microsoft}/${tenant}/v2.0/.well-known/openid-configuration`]: {
          issuer: `${microsoft}/${tenant}/v2.0`,
          authorization_endpoint: `${microsoft}/fake/authorize`,
          token_endpoint: `${microsoft}/fake/token`,
          userinfo_endpoint: `${microsoft}/fake/userinfo`,
          jwks_uri: `${microsoft}/fake/keys`,
        },
      },
    },
    direct: ["graph.microsoft.com"],
    user: { name: "Ann Other", email: "ann@microsoft.example", image: "data:image/jpeg;base64, AQID" },
    id: "AAAAAAAA",
  },
  {
    title: "microsoft-entra-id, one tenant",
    module: "microsoft-entra-id",
    options: { issuer: `${microsoft}/${tenant}/v2.0` },
    vendor: {
      issuer: `${microsoft}/${tenant}/v2.0`,
      claims: { tid: tenant, sub: "AAAAAAAA", name: "Ann Other", email: "ann@microsoft.example" },
    },
    direct: ["graph.microsoft.com"],
    user: { name: "Ann Other", email: "ann@microsoft.example", image: null },
    id: "AAAAAAAA",
  },
  {
    module: "facebook",
    vendor: {
      token: "https://graph.facebook.com/oauth/access_token",
      tokens: { token_type: "bearer", expires_in: 5183944 },
      resources: {
        "https://graph.facebook.com/me": {
          id: "10158",
          name: "Ann Other",
          email: "ann@facebook.example",
          picture: { data: { url: `${pictures}/10158` } },
        },
      },
    },
    direct: ["graph.facebook.com"],
    user: { name: "Ann Other", email: "ann@facebook.example", image: `${pictures}/10158` },
    id: "10158",
  },
  {
    module: "linkedin",
    vendor: {
      issuer: "https://www.linkedin.com/oauth",
      discovery: "https://www.linkedin.com/oauth/.well-known/openid-configuration",
      tokens: { expires_in: 5183999, scope: "email,openid,profile" },
      claims: {
        sub: "782bbtaQ",
        name: "Ann Other",
        email: "ann@linkedin.example",
        email_verified: "true",
        picture: `${pictures}/782`,
        locale: "en_US",
      },
    },
    user: { name: "Ann Other", email: "ann@linkedin.example", image: `${pictures}/782` },
    id: "782bbtaQ",
  },
  {
    module: "slack",
    vendor: {
      issuer: "https://slack.com",
      tokens: { ok: true, scope: "openid,profile,email" },
      claims: {
        sub: "U0R7MFMJM",
        name: "Ann Other",
        email: "ann@slack.example",
        picture: `${pictures}/U0R7`,
        "https://slack.com/team_id": "T0R7GR",
      },
    },
    user: { name: "Ann Other", email: "ann@slack.example", image: `${pictures}/U0R7` },
    id: "U0R7MFMJM",
  },
  {
    module: "spotify",
    vendor: {
      token: "https://accounts.spotify.com/api/token",
      tokens: { expires_in: 3600, refresh_token: "refresh", scope: "user-read-email" },
      resources: {
        "https://api.spotify.com/v1/me": {
          id: "wizzler",
          display_name: "Ann Other",
          email: "ann@spotify.example",
          images: [{ url: `${pictures}/wizzler`, height: 64, width: 64 }],
        },
      },
    },
    user: { name: "Ann Other", email: "ann@spotify.example", image: `${pictures}/wizzler` },
    id: "wizzler",
  },
  {
    module: "twitch",
    vendor: {
      issuer: "https://id.twitch.tv/oauth2",
      // A list, which no standard allows.
      tokens: {
        token_type: "bearer",
        expires_in: 14124,
        refresh_token: "refresh",
        scope: ["openid", "user:read:email"],
      },
      claims: {
        sub: "141981764",
        preferred_username: "ann_other",
        email: "ann@twitch.example",
        picture: `${pictures}/141981764`,
      },
    },
    user: { name: "ann_other", email: "ann@twitch.example", image: `${pictures}/141981764` },
    id: "141981764",
  },
]

/** Signs in, and tells what the application was told. */
async function signIn(t, app, entry, send) {
  const told = {}
  const factory = await loadFactory(entry.module)
  const provider = factory({ clientId: "client", clientSecret: "secret", ...entry.options, [customFetch]: send })
  const config = configuration({
    providers: [provider],
    callbacks: {
      signIn(given) {
        told.signIn = given
        return true
      },
      jwt({ token, user, account, profile, trigger }) {
        if (user) told.jwt = { user, account, profile, trigger }
        return token
      },
    },
    events: {
      signIn(given) {
        told.event = given
      },
    },
  })
  const site = await openSite(t, app(config))
  const browser = openBrowser(site, { "x-forwarded-proto": "https" })
  const { id } = provider
  const start = await browser.submit(`/auth/signin/${id}`, { callbackUrl: "/cart" })
  assert.equal(start.status, 302)
  const { redirectUri, answer } = entry.consent(start.location)
  assert.equal(redirectUri, `${site.origin.replace("http:", "https:")}/auth/callback/${id}`)

  const back = entry.formPost
    ? await returnByPost(browser, `/auth/callback/${id}`, { ...answer, ...entry.formPost })
    : await browser.get(`/auth/callback/${id}?${new URLSearchParams(answer)}`)
  const done = { status: back.status, location: pathOf(back.location), session: await browser.session(), told }
  const left = [...browser.cookies.keys()].filter((name) => /pkce|state|nonce/.test(name))
  return { ...done, left }
}

/** A cross-site POST carries no `SameSite=Lax` cookie; the GET that may follow does. */
async function returnByPost(browser, path, fields) {
  const lax = new Map([...browser.cookies].filter(([name]) => browser.sameSite.get(name) !== "None"))
  for (const name of lax.keys()) browser.cookies.delete(name)
  const posted = await browser.post(path, fields)
  for (const [name, value] of lax) if (!browser.cookies.has(name)) browser.cookies.set(name, value)
  return posted.status === 303 ? browser.get(pathOf(posted.location)) : posted
}

function pathOf(location) {
  const { pathname, search } = new URL(location)
  return pathname + search
}

function tokensOf(account) {
  const { id_token: idToken, expires_at: expiresAt, ...others } = account
  return { ...others, ...(idToken ? { id_token: typeof idToken } : {}), ...(expiresAt ? { expires_at: "later" } : {}) }
}

for (const entry of signIns) {
  const { title, module, vendor: said, direct = [], user, id } = entry
  describe(title ?? module, () => {
    it("signs in to Latchkey through the fetch of the application, as the profile mapping says", async (t) => {
      const vendor = openVendor(said)
      replaceFetch(t, (input, init) => {
        const { hostname } = new URL(new Request(input, init).url)
        return direct.includes(hostname) ? vendor.fetch(input, init) : noNetwork(input)
      })
      const { status, location, session, told, left } = await signIn(
        t,
        latchkeyApp,
        { ...entry, ...vendor },
        vendor.fetch,
      )
      assert.deepEqual([status, location], [302, "/cart"])
      assert.deepEqual(session.user, user)
      assert.deepEqual(left, [])

      const { id: userId, ...own } = told.signIn.user
      assert.match(userId, /^[0-9a-f-]{36}$/)
      assert.deepEqual(own, user)
      assert.equal(told.signIn.account.providerAccountId, id)
      assert.equal(told.signIn.account.provider, module)
      assert.deepEqual(told.jwt, { ...told.signIn, trigger: "signIn" })
      assert.deepEqual({ ...told.event, isNewUser: undefined }, { ...told.signIn, isNewUser: undefined })
    })

    it("tells the application the same as Auth.js does", async (t) => {
      const tell = async (app) => {
        const vendor = openVendor(said)
        replaceFetch(t, vendor.fetch)
        return signIn(t, app, { ...entry, ...vendor }, vendor.fetch)
      }
      const [theirs, ours] = [await tell(authJsApp), await tell(latchkeyApp)]
      // A cross-site POST comes without the cookie that says where to go, and Auth.js answers it as it is.
      assert.equal(theirs.location, entry.formPost ? "/" : "/cart")
      assert.deepEqual([ours.status, ours.location], [theirs.status, "/cart"])
      assert.deepEqual({ ...ours.session, expires: 0 }, { ...theirs.session, expires: 0 })
      const gist = ({ told: { signIn } }) => ({
        user: { ...signIn.user, id: typeof signIn.user.id },
        account: tokensOf(signIn.account),
        profile: withoutTimes(signIn.profile),
      })
      assert.deepEqual(gist(ours), gist(theirs))
    })
  })
}

function withoutTimes({ iat: _iat, exp: _exp, nonce: _nonce, ...profile }) {
  return profile
}
