import { describe, expect, it } from "@jest/globals"
import { mergeProvider, resolveProvider, type OAuthProvider } from "../../src/core/engine/providers.js"
import { customFetch } from "../../src/core/symbols.js"
import GitHub, { type GitHubEmail, type GitHubProfile, type GitHubUserConfig } from "../../src/providers/github.js"
import type { OAuthConfig } from "../../src/providers/kinds.js"

const octocat: GitHubProfile = {
  login: "octocat",
  id: 583231,
  node_id: "MDQ6VXNlcjU4MzIzMQ==",
  avatar_url: "https://avatars.test/u/583231",
  html_url: "https://github.com/octocat",
  type: "User",
  site_admin: false,
  name: "The Octocat",
  company: null,
  blog: null,
  location: null,
  email: "octocat@github.test",
  hireable: null,
  bio: null,
  public_repos: 8,
  public_gists: 8,
  followers: 1,
  following: 9,
  created_at: "2011-01-25T18:44:36Z",
  updated_at: "2026-01-22T12:20:30Z",
}

const hidden: GitHubProfile = { ...octocat, email: null }

const emails: readonly GitHubEmail[] = [
  { email: "old@github.test", primary: false, verified: true, visibility: null },
  { email: "main@github.test", primary: true, verified: true, visibility: "private" },
]

function resolve(options: GitHubUserConfig<GitHubProfile> = {}): OAuthProvider {
  return resolveProvider(mergeProvider(GitHub(options)) as OAuthConfig) as OAuthProvider
}

/** A GitHub that answers each address with the value given for it, and any other with 404. */
function gitHub(answers: Readonly<Record<string, unknown>>): {
  readonly send: typeof fetch
  readonly requests: readonly Request[]
} {
  const requests: Request[] = []
  const send: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    requests.push(request)
    const answer = answers[request.url]
    return Promise.resolve(
      answer === undefined ? Response.json({ message: "Not Found" }, { status: 404 }) : Response.json(answer),
    )
  }
  return { send, requests }
}

async function fetchProfile(send: typeof fetch, options: GitHubUserConfig<GitHubProfile> = {}): Promise<unknown> {
  const { userinfo, config } = resolve({ ...options, [customFetch]: send })
  return (await userinfo.request?.({ tokens: { access_token: "token" }, provider: config })) as unknown
}

describe("addresses", () => {
  it("are those of github.com by default", () => {
    const { issuer, authorization, token, userinfo, checks } = resolve()

    expect(issuer).toBe("https://github.com/login/oauth")
    expect(authorization.url?.href).toBe("https://github.com/login/oauth/authorize")
    expect(authorization.params).toEqual({ scope: "read:user user:email" })
    expect(token.url?.href).toBe("https://github.com/login/oauth/access_token")
    expect(userinfo.url?.href).toBe("https://api.github.com/user")
    expect(checks).toEqual({ pkce: true, nonce: false })
  })

  it("are those of the enterprise server when there is one", () => {
    const { issuer, authorization, token, userinfo } = resolve({ enterprise: { baseUrl: "https://git.corp.test" } })

    expect(issuer).toBe("https://git.corp.test/login/oauth")
    expect(authorization.url?.href).toBe("https://git.corp.test/login/oauth/authorize")
    expect(token.url?.href).toBe("https://git.corp.test/login/oauth/access_token")
    expect(userinfo.url?.href).toBe("https://git.corp.test/api/v3/user")
  })
})

describe("userinfo", () => {
  it("asks once when the profile shows an e-mail address", async () => {
    const { send, requests } = gitHub({ "https://api.github.com/user": octocat })

    expect(await fetchProfile(send)).toEqual(octocat)
    expect(requests.map(({ url }) => url)).toEqual(["https://api.github.com/user"])
  })

  it("takes the primary address of /user/emails when the profile hides it", async () => {
    const { send } = gitHub({ "https://api.github.com/user": hidden, "https://api.github.com/user/emails": emails })

    expect(await fetchProfile(send)).toEqual({ ...hidden, email: "main@github.test" })
  })

  it("goes without an e-mail address when /user/emails is refused", async () => {
    const { send, requests } = gitHub({ "https://api.github.com/user": hidden })

    expect(await fetchProfile(send)).toEqual(hidden)
    expect(requests).toHaveLength(2)
  })

  it("asks an enterprise server for both", async () => {
    const api = "https://git.corp.test/api/v3"
    const { send, requests } = gitHub({ [`${api}/user`]: hidden, [`${api}/user/emails`]: emails })

    await fetchProfile(send, { enterprise: { baseUrl: "https://git.corp.test" } })

    expect(requests.map(({ url }) => url)).toEqual([`${api}/user`, `${api}/user/emails`])
  })

  it("sends the access token and a User-Agent, without which GitHub refuses, every time", async () => {
    const { send, requests } = gitHub({
      "https://api.github.com/user": hidden,
      "https://api.github.com/user/emails": emails,
    })

    await fetchProfile(send)

    expect(requests.map(({ headers }) => headers.get("user-agent"))).toEqual(["latchkey", "latchkey"])
    expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer token", "Bearer token"])
  })

  it("fails when GitHub refuses the profile, and does not name the token", async () => {
    const { send } = gitHub({})

    await expect(fetchProfile(send)).rejects.toThrow(/^api\.github\.com answered 404 at \/user$/)
  })
})

describe("profile", () => {
  it("becomes a user", async () => {
    expect(await GitHub().profile?.(octocat, {})).toEqual({
      id: "583231",
      name: "The Octocat",
      email: "octocat@github.test",
      image: "https://avatars.test/u/583231",
    })
  })

  it("is named after the login when it has no name", async () => {
    expect(await GitHub().profile?.({ ...octocat, name: null }, {})).toMatchObject({ name: "octocat" })
  })

  it("becomes a user without an e-mail address", async () => {
    expect(await GitHub().profile?.(hidden, {})).toMatchObject({ email: null })
  })
})

describe("GitHub's token endpoint, which refuses with status 200", () => {
  const answerTo = async (body: unknown) => {
    const conformed = await resolve().token.conform?.(Response.json(body))
    return conformed && [conformed.status, await conformed.json()]
  }

  it.each([
    ["bad_verification_code", "invalid_grant"],
    ["incorrect_client_credentials", "incorrect_client_credentials"],
    ["redirect_uri_mismatch", "redirect_uri_mismatch"],
  ])("is understood: %s", async (given, error) => {
    expect(await answerTo({ error: given, error_description: "d" })).toEqual([400, { error, error_description: "d" }])
  })

  it.each([{ access_token: "t", token_type: "bearer" }, null, "error", []])(
    "is left alone otherwise: %j",
    async (body) => {
      expect(await answerTo(body)).toBeUndefined()
    },
  )

  it("that answers with no JSON is left alone", async () => {
    expect(await resolve().token.conform?.(new Response("<html>"))).toBeUndefined()
  })
})
