/** Keys for what an issuer signs. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { jwtVerify, type JWTVerifyResult } from "jose"
import { compiledFor } from "../../../src/core/auth.js"
import { issuerKeys } from "../../../src/core/oauth/issuer-keys.js"
import { advanceClock, freezeClock, releaseClock } from "../../support/core-clock.js"
import { openSite, signIn, type Site } from "../../support/core-flow.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

/** Verifies a token that the provider signs now. */
async function verify({ config, idp }: Site, claims = { sid: "1" }): Promise<JWTVerifyResult> {
  const compiled = compiledFor(config)
  const provider = compiled.kind === "engine" ? compiled.engine.providers.get("idp") : undefined
  if (compiled.kind !== "engine" || provider?.type !== "oidc") throw new Error("expected an engine with a provider")
  return jwtVerify(await idp.sign(claims), issuerKeys(compiled.engine, provider))
}

describe("the keys of an issuer", () => {
  it("verify what it signed", async () => {
    const site = openSite()

    expect((await verify(site, { sid: "7" })).payload).toEqual({ sid: "7" })
  })

  it.each(["broken", "foreign", "HS256", "none"] as const)("do not verify anything else: %s", async (sign) => {
    const site = openSite()
    site.idp.faults = { sign }

    await expect(verify(site)).rejects.toThrow()
  })

  it("are those that sign-ins have fetched, and the other way round", async () => {
    const site = openSite()
    await signIn(site)
    await verify(site)
    expect([site.idp.count("discovery"), site.idp.count("jwks")]).toEqual([1, 1])

    const other = openSite()
    await verify(other)
    await signIn(other)
    expect(await other.browser.session()).not.toBeNull()
    expect([other.idp.count("discovery"), other.idp.count("jwks")]).toEqual([1, 1])
  })

  it("are fetched once more for one that they lack, every 30 seconds at most", async () => {
    const site = openSite()
    await verify(site)
    await site.idp.rotateKeys()

    await expect(verify(site)).rejects.toThrow("no applicable key found")
    expect(site.idp.count("jwks")).toBe(1)

    advanceClock(30)
    await Promise.all([verify(site), verify(site), verify(site)])
    expect(site.idp.count("jwks")).toBe(2)
  })

  it("are done without for a day while the issuer is out of reach", async () => {
    const site = openSite()
    await verify(site)
    site.idp.faults = { jwks: () => new Response(null, { status: 503 }) }

    advanceClock(23 * 3600)
    await verify(site)

    advanceClock(2 * 3600)
    await expect(verify(site)).rejects.toThrow("the keys at https://idp.example/jwks: HTTP 503")
  })

  it.each<[string, unknown, string]>([
    ["many", Array.from({ length: 101 }, () => ({ kty: "EC" })), "more than 100"],
    ["none", "keys", "no JSON Web Key Set"],
    ["odd", [null], "no JSON Web Key Set"],
  ])("that are too %s are refused, and do not take the place of good ones", async (_, keys, message) => {
    const site = openSite()
    site.idp.faults = { jwks: () => keys }
    await expect(verify(site)).rejects.toThrow(message)

    site.idp.faults = {}
    await verify(site)
    site.idp.faults = { jwks: () => keys }
    advanceClock(601)
    await verify(site)
    expect(site.idp.count("jwks")).toBe(3)
  })

  it("are missed where the issuer publishes none", async () => {
    const site = openSite()
    site.idp.faults = { discovery: ({ jwks_uri: _, ...metadata }) => metadata }

    await expect(verify(site)).rejects.toThrow('publishes no keys ("jwks_uri")')
  })

  it("are not believed when they come over plain http, as the issuer does not", async () => {
    const site = openSite()
    site.idp.faults = { discovery: (metadata) => ({ ...metadata, jwks_uri: "http://idp.example/jwks" }) }

    await expect(verify(site)).rejects.toThrow("over plain http")
    expect(site.idp.count("jwks")).toBe(0)
  })
})
