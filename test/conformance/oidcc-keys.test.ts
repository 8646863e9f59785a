/** Whose keys sign an ID token: A-052, and the rotation of keys. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { generateKeyPairSync, sign as signBytes } from "node:crypto"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import type { FaultyProvider } from "../../src/testing/faulty-provider.js"
import { advanceClock, freezeClock, releaseClock } from "../support/core-clock.js"
import { expectRefused, signIn } from "../support/core-flow.js"
import { base64url, openRow, type Claims } from "./oidcc-rows.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

describe("A-052: a key that the token brings along", () => {
  it("counts for nothing: jwk", async () => {
    const mine = await generateKeyPair("RS256", { extractable: true })
    const jwk = await exportJWK(mine.publicKey)
    const idToken = (claims: Claims) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", jwk }).sign(mine.privateKey)
    const site = await openRow({ name: "jwk", faults: { idToken } })

    await expectRefused(site.browser, await signIn(site))
  })

  it.each(["jku", "x5u"])("is not fetched: %s", async (member) => {
    const mine = await generateKeyPair("RS256", { extractable: true })
    const header = { alg: "RS256", kid: "mine", [member]: "https://evil.example/jwks" }
    const idToken = (claims: Claims) => new SignJWT({ ...claims }).setProtectedHeader(header).sign(mine.privateKey)
    const site = await openRow({ name: member, faults: { idToken } })

    await expectRefused(site.browser, await signIn(site))
    expect(new Set(site.idp.requests.map(({ url }) => url.host))).toEqual(new Set(["idp.example"]))
  })

  it.each(["unknown", "../../etc/passwd", "' OR 1=1--", ""])("is not chosen by an odd kid: %j", async (kid) => {
    const site = await openRow({ name: kid, faults: { header: (header) => ({ ...header, kid }) } })

    await expectRefused(site.browser, await signIn(site))
  })

  it("is too short: RSA of 1 024 bits", async () => {
    const weak = generateKeyPairSync("rsa", { modulusLength: 1024 })
    const idToken = async (claims: Claims) => {
      const input = `${base64url({ alg: "RS256", kid: "weak" })}.${base64url(claims)}`
      return `${input}.${signBytes("sha256", Buffer.from(input), weak.privateKey).toString("base64url")}`
    }
    const jwks = () => [{ ...weak.publicKey.export({ format: "jwk" }), kid: "weak", alg: "RS256", use: "sig" }]
    const site = await openRow({ name: "weak", faults: { idToken, jwks } })

    await expectRefused(site.browser, await signIn(site))
  })

  it("has a critical header member that nobody understands", async () => {
    const idToken = (idp: FaultyProvider) => async (claims: Claims) => {
      const [, payload, signature] = (await idp.sign(claims)).split(".")
      return [base64url({ alg: "RS256", crit: ["x"], x: 1 }), payload, signature].join(".")
    }
    const site = await openRow({ name: "crit", faults: (idp) => ({ idToken: idToken(idp) }) })

    await expectRefused(site.browser, await signIn(site))
  })
})

describe("keys that change", () => {
  it("oidcc-client-test-signing-key-rotation-just-before-signing: the keys are fetched after the token", async () => {
    const site = await openRow({ name: "rotation" })
    const callback = site.idp.approve(await site.browser.start("idp"))
    await site.idp.rotateKeys()

    await site.browser.get(callback.href)

    expect(await site.browser.session()).not.toBeNull()
  })

  it("oidcc-client-test-signing-key-rotation: between two sign-ins, an unknown kid has the keys fetched once more", async () => {
    const site = await openRow({ name: "rotation" })
    await signIn(site)
    advanceClock(61)
    await site.idp.rotateKeys()

    const another = site.another()
    await signIn({ ...site, browser: another })

    expect(await another.session()).not.toBeNull()
    expect(site.idp.count("jwks")).toBe(2)
  })

  it("unknown kids do not have the keys fetched again and again", async () => {
    const site = await openRow({ name: "flood" })
    await signIn(site)
    site.idp.faults = { header: (header) => ({ ...header, kid: crypto.randomUUID() }) }
    const fetched = site.idp.count("jwks")

    for (let attempt = 0; attempt < 10; attempt++) await signIn({ ...site, browser: site.another() })

    expect(site.idp.count("jwks") - fetched).toBeLessThanOrEqual(1)
  })
})
