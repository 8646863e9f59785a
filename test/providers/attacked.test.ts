/** Behaviour that attacks on the providers have found wanting, and that was mended. */
import { describe, expect, it } from "@jest/globals"
import { mergeProvider, resolveProvider, type OAuthProvider } from "../../src/core/engine/providers.js"
import { customFetch } from "../../src/core/symbols.js"
import GitHub from "../../src/providers/github.js"
import type { OAuthConfig } from "../../src/providers/kinds.js"

const api = "https://api.github.com"

/** What the provider makes of the answers of GitHub, and the requests that it sent. */
function askGitHub(answers: Readonly<Record<string, () => Response>>) {
  const requests: Request[] = []
  const send: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    requests.push(request)
    return Promise.resolve(answers[request.url]?.() ?? Response.json({ message: "Not Found" }, { status: 404 }))
  }
  const provider = resolveProvider(mergeProvider(GitHub({ [customFetch]: send })) as OAuthConfig) as OAuthProvider
  const profile = async () =>
    (await provider.userinfo.request?.({ tokens: { access_token: "token" }, provider: provider.config })) as unknown
  return { requests, profile }
}

describe("the e-mail address of somebody who hides theirs at GitHub", () => {
  const primary = { email: "main@github.test", primary: true, visibility: null }
  const other = { email: "other@github.test", primary: false, visibility: null }
  const third = { email: "third@github.test", primary: false, visibility: null }
  const yes = { verified: true }
  const no = { verified: false }

  it.each([
    [
      "the primary one, if it is verified",
      [
        { ...other, ...yes },
        { ...primary, ...yes },
      ],
      primary.email,
    ],
    [
      "the first verified one otherwise",
      [
        { ...primary, ...no },
        { ...other, ...yes },
        { ...third, ...yes },
      ],
      other.email,
    ],
    [
      "none, if none is verified",
      [
        { ...primary, ...no },
        { ...other, ...no },
      ],
      null,
    ],
    ["none, if there is none", [], null],
  ])("is %s", async (_, emails, expected) => {
    const { profile } = askGitHub({
      [`${api}/user`]: () => Response.json({ id: 1, login: "octocat", email: null }),
      [`${api}/user/emails`]: () => Response.json(emails),
    })

    expect(await profile()).toMatchObject({ email: expected })
  })
})

describe("user information from GitHub", () => {
  it("is refused when it is longer than 256 KB", async () => {
    const bio = "x".repeat(256 * 1024)
    const { profile } = askGitHub({ [`${api}/user`]: () => Response.json({ id: 1, email: "a@github.test", bio }) })

    await expect(profile()).rejects.toThrow("more than 262144 bytes")
  })

  it.each([301, 302, 307, 308])("is not followed elsewhere with the token: %i", async (status) => {
    const headers = { location: "https://evil.example/user" }
    const { requests, profile } = askGitHub({
      [`${api}/user`]: () => new Response(null, { status, headers }),
      "https://evil.example/user": () => Response.json({ id: 1, email: "evil@github.test" }),
    })

    await expect(profile()).rejects.toThrow(String(status))
    expect(requests.map(({ url, redirect }) => [url, redirect])).toEqual([[`${api}/user`, "manual"]])
  })
})
