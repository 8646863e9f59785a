/** What the faulty provider does when it is asked to do nothing wrong, and a little when it is. */
import { describe, expect, it } from "@jest/globals"
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from "jose"
import { FaultyProvider } from "../../src/testing/index.js"
import { accessToken, refreshToken } from "../../src/testing/faulty-provider.js"

const redirectUri = "https://app.example/callback"

async function post(idp: FaultyProvider, form: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const response = await idp.fetch(`${idp.issuer}/token`, { method: "POST", body: new URLSearchParams(form) })
  return (await response.json()) as Record<string, unknown>
}

function signIn(idp: FaultyProvider): Promise<Record<string, unknown>> {
  const asked = new URLSearchParams({ redirect_uri: redirectUri, state: "s", nonce: "n" })
  const code = idp.approve(`${idp.issuer}/authorize?${asked}`).searchParams.get("code") ?? ""
  return post(idp, { grant_type: "authorization_code", code, redirect_uri: redirectUri })
}

function refresh(idp: FaultyProvider, token: unknown): Promise<Record<string, unknown>> {
  return post(idp, { grant_type: "refresh_token", refresh_token: String(token) })
}

const refused = { error: "invalid_grant" }

describe("a refresh", () => {
  it("gives another access token, another refresh token, and an ID token of the same person without nonce", async () => {
    const idp = new FaultyProvider()
    idp.accessTokenLifetime = 20
    const first = await signIn(idp)
    idp.person = { sub: "somebody else" }

    const second = await refresh(idp, first.refresh_token)

    expect(first).toMatchObject({ access_token: accessToken, refresh_token: refreshToken, expires_in: 20 })
    expect(second).toMatchObject({
      access_token: `${accessToken}-2`,
      refresh_token: `${refreshToken}-2`,
      expires_in: 20,
    })
    expect(decodeJwt(String(first.id_token))).toMatchObject({ sub: "ada", nonce: "n" })
    expect(decodeJwt(String(second.id_token))).toMatchObject({ sub: "ada", iss: idp.issuer })
    expect(decodeJwt(String(second.id_token))).not.toHaveProperty("nonce")
    expect(idp.countRefreshes()).toBe(1)
  })

  it("with a token that was rotated away is refused, and ends the others", async () => {
    const idp = new FaultyProvider()
    const first = await signIn(idp)
    const second = await refresh(idp, first.refresh_token)

    expect(await refresh(idp, first.refresh_token)).toEqual(refused)
    expect(await refresh(idp, second.refresh_token)).toEqual(refused)
    expect(await refresh(idp, (await signIn(idp)).refresh_token)).toHaveProperty("access_token")
  })

  it("keeps the refresh token where they are not rotated", async () => {
    const idp = new FaultyProvider()
    idp.rotatesRefreshTokens = false
    const first = await signIn(idp)
    const second = await refresh(idp, first.refresh_token)
    const third = await refresh(idp, first.refresh_token)
    expect([second.refresh_token, third.refresh_token]).toEqual([refreshToken, refreshToken])
    expect([second.access_token, third.access_token]).toEqual([`${accessToken}-2`, `${accessToken}-3`])
  })

  it("tells people apart", async () => {
    const idp = new FaultyProvider()
    const ada = await signIn(idp)
    idp.person = { sub: "grace" }
    const grace = await signIn(idp)
    expect(decodeJwt(String((await refresh(idp, ada.refresh_token)).id_token)).sub).toBe("ada")
    expect(decodeJwt(String((await refresh(idp, grace.refresh_token)).id_token)).sub).toBe("grace")
  })

  it("is refused after revoke, and for a token that is none", async () => {
    const idp = new FaultyProvider()
    const { refresh_token } = await signIn(idp)
    idp.revoke()
    expect(await refresh(idp, refresh_token)).toEqual(refused)
    expect(await refresh(idp, "unknown")).toEqual(refused)
  })

  it("brings the claims that faults.refreshed gives, and those of faults.claims do not apply", async () => {
    const idp = new FaultyProvider()
    idp.faults = {
      claims: (claims) => ({ ...claims, at: "sign-in" }),
      refreshed: (claims) => ({ ...claims, sub: "mallory" }),
    }
    const first = await signIn(idp)
    const claims = decodeJwt(String((await refresh(idp, first.refresh_token)).id_token))
    expect(decodeJwt(String(first.id_token))).toMatchObject({ sub: "ada", at: "sign-in" })
    expect(claims).toMatchObject({ sub: "mallory" })
    expect(claims).not.toHaveProperty("at")
  })

  it("can be answered in another way, told from a sign-in by its grant type", async () => {
    const idp = new FaultyProvider()
    idp.faults = {
      token: (body, { body: form }) => (form.get("grant_type") === "refresh_token" ? { error: "temporarily" } : body),
    }
    const { refresh_token } = await signIn(idp)
    expect(await refresh(idp, refresh_token)).toEqual({ error: "temporarily" })
  })

  it("leaves every token among the secrets", async () => {
    const idp = new FaultyProvider()
    const first = await signIn(idp)
    const second = await refresh(idp, first.refresh_token)
    for (const { access_token, refresh_token, id_token } of [first, second]) {
      for (const token of [access_token, refresh_token, id_token]) expect(idp.secrets).toContain(token)
    }
  })
})

describe("a code", () => {
  it("is good once, of two that come together as well", async () => {
    const idp = new FaultyProvider()
    const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    const asked = new URLSearchParams({ redirect_uri: redirectUri, code_challenge: challenge })
    const code = idp.approve(`${idp.issuer}/authorize?${asked}`).searchParams.get("code") ?? ""
    const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier }

    const answers = await Promise.all([post(idp, form), post(idp, form)])

    expect(answers.filter((answer) => "access_token" in answer)).toHaveLength(1)
    expect(answers).toContainEqual(refused)
  })
})

describe("a logout at the provider", () => {
  const asked =
    "https://idp.example/end_session?post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fout%3Fa%3D1&state=s"

  it("sends the browser to where the application said, with its state", () => {
    expect(new FaultyProvider().endSession(asked)?.href).toBe("https://app.example/out?a=1&state=s")
  })

  it("sends nobody anywhere when the application said nothing", () => {
    expect(new FaultyProvider().endSession("https://idp.example/end_session?state=s")).toBeUndefined()
  })

  it("can come back with another state, or none", () => {
    const idp = new FaultyProvider()
    idp.faults = { loggedOut: (parameters) => parameters.set("state", "other") }
    expect(idp.endSession(asked)?.searchParams.get("state")).toBe("other")
    idp.faults = { loggedOut: (parameters) => parameters.delete("state") }
    expect(idp.endSession(asked)?.searchParams.has("state")).toBe(false)
  })

  it("has the address that the metadata tell", async () => {
    const idp = new FaultyProvider()
    const { end_session_endpoint } = (await (
      await idp.fetch(`${idp.issuer}/.well-known/openid-configuration`)
    ).json()) as Record<string, string>
    const url = new URL(end_session_endpoint ?? "")
    url.search = new URL(asked).search
    const response = await idp.fetch(url)
    expect([response.status, response.headers.get("location")]).toEqual([302, "https://app.example/out?a=1&state=s"])
    expect(idp.count("end_session")).toBe(1)
  })
})

describe("a logout token", () => {
  async function verify(idp: FaultyProvider, token: string) {
    const keys = (await (await idp.fetch(`${idp.issuer}/jwks`)).json()) as JSONWebKeySet
    return jwtVerify(token, createLocalJWKSet(keys), { issuer: idp.issuer, audience: idp.clientId })
  }

  it("is an honest one, of the person and the session of ID tokens", async () => {
    const idp = new FaultyProvider()
    idp.sid = "session-1"
    const token = await idp.logoutToken()
    const { payload, protectedHeader } = await verify(idp, token)
    expect(protectedHeader).toMatchObject({ typ: "logout+jwt", alg: "RS256" })
    expect(payload).toEqual({
      iss: idp.issuer,
      aud: idp.clientId,
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 120,
      jti: expect.any(String),
      sub: "ada",
      sid: "session-1",
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    })
    expect(decodeJwt(String((await signIn(idp)).id_token)).sid).toBe("session-1")
    expect(idp.secrets).toContain(token)
  })

  it("is another one each time", async () => {
    const idp = new FaultyProvider()
    expect(decodeJwt(await idp.logoutToken()).jti).not.toBe(decodeJwt(await idp.logoutToken()).jti)
  })

  it("is as wrong as it is asked to be, and no more: faults of ID tokens do not apply", async () => {
    const idp = new FaultyProvider()
    idp.faults = { sign: "none", header: (header) => ({ ...header, typ: "JOSE" }) }
    const { payload, protectedHeader } = await verify(
      idp,
      await idp.logoutToken(
        (claims) => ({ ...claims, events: undefined, nonce: "n" }),
        (header) => ({ ...header, typ: "JWT" }),
        "ES256",
      ),
    )
    expect(protectedHeader).toMatchObject({ typ: "JWT", alg: "ES256" })
    expect(payload).toMatchObject({ nonce: "n" })
    expect(payload).not.toHaveProperty("events")
  })

  it.each(["none", "broken", "foreign", "HS256"] as const)("does not verify when it is signed %s", async (sign) => {
    const idp = new FaultyProvider()
    await expect(verify(idp, await idp.logoutToken(undefined, undefined, sign))).rejects.toThrow()
  })
})
