/** Whole sign-ins through the cores of both packages. */
import assert from "node:assert/strict"
import { Auth as AuthJs, skipCSRFCheck as skipOfAuthJs } from "@auth/core"
import { Auth, skipCSRFCheck } from "latchkey/core"
import { secret, silent } from "./apps.mjs"

export const theirs = { auth: AuthJs, skip: skipOfAuthJs }
export const ours = { auth: Auth, skip: skipCSRFCheck }

/**
 * Signs in with `provider`, whose vendor is `vendor`. Fails when an error is logged on the way.
 * @param system `theirs` or `ours`.
 * @returns Where it led, what the `signIn` callback was told, and what the vendor was asked about the person.
 */
export async function signIn({ auth, skip }, provider, vendor) {
  const told = {}
  const errors = []
  const config = {
    providers: [provider],
    secret,
    trustHost: true,
    skipCSRFCheck: skip,
    logger: { ...silent, error: (error) => errors.push(error) },
    callbacks: {
      signIn({ user, account, profile }) {
        Object.assign(told, { user, account, profile })
        return true
      },
    },
  }
  const address = `https://app.example/auth`
  const start = await auth(new Request(`${address}/signin/${provider.id}`, { method: "POST" }), config)
  assert.deepEqual(errors, [])
  const { answer } = vendor.consent(start.headers.get("location"))
  const cookie = cookiesOf(start)
  const isFormPost = new URL(start.headers.get("location")).searchParams.get("response_mode") === "form_post"
  const callback = `${address}/callback/${provider.id}`
  const back = isFormPost
    ? new Request(callback, { method: "POST", body: new URLSearchParams(answer), headers: { cookie } })
    : new Request(`${callback}?${new URLSearchParams(answer)}`, { headers: { cookie } })
  let done = await auth(back, config)
  // Ours turns the cross-site POST into a GET.
  if (done.status === 303) done = await auth(new Request(done.headers.get("location"), { headers: { cookie } }), config)
  assert.deepEqual(errors, [])
  return { location: done.headers.get("location"), told, questions: vendor.requests.filter(isQuestion).map(questionOf) }
}

function cookiesOf(response) {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ")
}

/** What is asked about a person, rather than about the vendor. */
function isQuestion({ url }) {
  return !url.includes("/.well-known/") && !url.endsWith("/fake/keys")
}

/** A request without what differs each time. */
function questionOf({ method, url, headers, body }) {
  const chance = ["code", "code_verifier", "client_assertion"]
  const fields =
    body && Object.fromEntries([...body].map(([key, value]) => [key, chance.includes(key) ? typeof value : value]))
  return {
    method,
    // `,` and `%2C` are the same in a query.
    url: decodeURIComponent(url),
    body: fields,
    authorization: headers.get("authorization"),
    type: headers.get("content-type")?.split(";")[0],
    // A signed profile is for OpenID Connect; plain OAuth has no key to verify it with.
    accept: headers.get("accept")?.replace("application/json, application/jwt", "application/json"),
    others: [...headers.keys()].filter(
      (name) => !["authorization", "content-type", "accept", "user-agent"].includes(name),
    ),
  }
}

/** What the application was told, without what differs each time. */
export function gist({ user, account, profile }) {
  const { iat: _iat, exp: _exp, nonce: _nonce, ...claims } = profile
  const { id_token: idToken, expires_at: expiresAt, ...tokens } = account
  return {
    user: { ...user, id: typeof user.id },
    account: { ...tokens, idToken: typeof idToken, lifetime: Math.round((expiresAt - Date.now() / 1000) / 10) },
    profile: claims,
  }
}
