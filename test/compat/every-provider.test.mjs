/**
 * A whole sign-in with each published provider, in both packages: the vendor is asked the same questions, and the
 * application is told the same.
 */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { customFetch } from "@auth/core"
import Spotify from "@auth/core/providers/spotify"
import { openVendor, replaceFetch } from "./support/fake-vendor.mjs"
import { gist, ours, signIn, theirs } from "./support/flows.mjs"
import { loadFactory, oauthModules, optionsFor } from "./support/published-providers.mjs"
import { openVendorOf } from "./support/published-vendors.mjs"
import { toMend } from "./support/to-mend.mjs"

const todo = {
  tiktok: toMend.composedFetch,
}

describe("The vendor is asked, and the application told, as by Auth.js", () => {
  // Their own check refuses these, whatever their options.
  const refusedByAuthJs = ["netsuite", "todoist"]
  // They never call its token.request.
  const exchangedOtherwise = ["azure-devops"]

  for (const name of oauthModules) {
    it(name, { todo: todo[name] }, async (t) => {
      // One of the published providers prints advice.
      t.mock.method(console, "warn", () => {})
      const factory = await loadFactory(name)
      const run = async (system) => {
        const vendor = openVendorOf(name, factory(optionsFor(name)))
        replaceFetch(t, vendor.fetch)
        return signIn(system, factory({ ...optionsFor(name), [customFetch]: vendor.fetch }), vendor)
      }
      const after = await run(ours)
      assert.equal(after.location, "https://app.example")
      assert.match(after.told.user.id, /^[0-9a-f-]{36}$/)
      assert.equal(typeof after.told.account.providerAccountId, "string")
      if (refusedByAuthJs.includes(name) || exchangedOtherwise.includes(name)) return

      const before = await run(theirs)
      // They leave a number a number.
      before.told.account.providerAccountId = String(before.told.account.providerAccountId)
      assert.equal(before.location, after.location)
      assert.deepEqual(gist(after.told), gist(before.told))
      assert.deepEqual(after.questions, before.questions)
    })
  }
})

describe("The token request", () => {
  const token = "https://accounts.spotify.com/api/token"
  const me = "https://api.spotify.com/v1/me"
  const resources = { [me]: { id: "7", display_name: "Ann", images: [] } }

  async function questions(system, options) {
    const vendor = openVendor({ token, resources })
    const provider = Spotify({ clientId: "client1", clientSecret: "secret1", ...options, [customFetch]: vendor.fetch })
    return (await signIn(system, provider, vendor)).questions
  }

  const clients = [
    { title: "client_secret_post", options: { client: { token_endpoint_auth_method: "client_secret_post" } } },
    { title: "none", options: { client: { token_endpoint_auth_method: "none" } } },
    { title: "client_secret_basic", options: { client: { token_endpoint_auth_method: "client_secret_basic" } } },
    { title: "the default, with a secret that needs escapes", options: { clientSecret: "s:ec +/=&" } },
  ]
  for (const { title, options } of clients) {
    it(`authenticates the client as Auth.js does: ${title}`, async () => {
      assert.deepEqual(await questions(ours, options), await questions(theirs, options))
    })
  }

  it("leaves the characters of most client secrets as they are", async () => {
    const options = { clientId: "my-client_id.apps", clientSecret: "GOCSPX-a_b.c~d!e*f'(g)" }
    assert.deepEqual(await questions(ours, options), await questions(theirs, options))
  })

  it("goes through the provider's own fetch where the application has none", async (t) => {
    const { default: TikTok } = await import("@auth/core/providers/tiktok")
    for (const system of [theirs, ours]) {
      const options = optionsFor("tiktok")
      const vendor = openVendorOf("tiktok", TikTok(options))
      replaceFetch(t, vendor.fetch)
      const [{ body }] = (await signIn(system, TikTok(options), vendor)).questions
      assert.equal(body.client_key, "client1")
    }
  })

  it("is left to no one but the provider: a secret that is missing is not sent (differs: Auth.js sends the word undefined)", async () => {
    const options = { clientSecret: undefined }
    const [before] = await questions(theirs, options)
    assert.equal(atob(before.authorization.slice("Basic ".length)), "client1:undefined")
    const [after] = await questions(ours, options)
    assert.equal(after.authorization, null)
    assert.equal(after.body.client_id, "client1")
  })
})

describe("An answer that does not hold is refused by both", () => {
  const resources = { "https://api.spotify.com/v1/me": { id: "7", display_name: "Ann", images: [] } }
  const token = "https://accounts.spotify.com/api/token"

  const broken = [
    { title: "no access token", tokens: { access_token: undefined } },
    { title: "a token type that nobody knows", tokens: { token_type: "mac" } },
    { title: "a scope that is a number", tokens: { scope: 1 } },
  ]
  for (const { title, tokens } of broken) {
    it(title, async () => {
      for (const system of [theirs, ours]) {
        const vendor = openVendor({ token, tokens, resources })
        const provider = Spotify({ clientId: "client1", clientSecret: "secret1", [customFetch]: vendor.fetch })
        await assert.rejects(signIn(system, provider, vendor), { code: "ERR_ASSERTION" })
      }
    })
  }

  it("a userinfo endpoint that fails (differs: Auth.js takes its error for a person)", async () => {
    const failing = {
      "https://api.spotify.com/v1/me": () => Response.json({ error: { status: 500 } }, { status: 500 }),
    }
    const attempt = (system) => {
      const vendor = openVendor({ token, resources: failing })
      const profile = ({ id, error }) => ({ id: id ?? `error-${error.status}` })
      const provider = Spotify({ clientId: "client1", clientSecret: "secret1", profile, [customFetch]: vendor.fetch })
      return signIn(system, provider, vendor)
    }
    assert.equal((await attempt(theirs)).told.account.providerAccountId, "error-500")
    await assert.rejects(attempt(ours), { code: "ERR_ASSERTION" })
  })
})
