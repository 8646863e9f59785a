/** Session tokens: what one package writes, the other opens. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import * as authJs from "@auth/core/jwt"
import * as latchkey from "latchkey/jwt"

const directions = [
  { title: "from Auth.js to Latchkey", writer: authJs, reader: latchkey },
  { title: "from Latchkey to Auth.js", writer: latchkey, reader: authJs },
]
const cookieNames = ["authjs.session-token", "__Secure-authjs.session-token", "my-own-session"]

const claims = {
  name: "Ånn „Quote“ \u2028 🙂",
  email: "ann@example.com",
  picture: null,
  sub: "42",
  roles: ["admin", { of: "everything" }],
  deep: { down: { in: { here: [1, 2.5, -3, true, null, ""] } } },
}

for (const { title, writer, reader } of directions) {
  describe(`A token ${title}`, () => {
    for (const salt of cookieNames) {
      it(`opens under the cookie name ${salt}`, async () => {
        const before = Math.floor(Date.now() / 1000)
        const token = await writer.encode({ token: claims, secret: "s1", salt })
        const { iat, exp, jti, ...own } = await reader.decode({ token, secret: "s1", salt })
        assert.deepEqual(own, claims)
        assert.equal(exp - iat, 30 * 24 * 60 * 60)
        assert.ok(iat >= before && iat <= Date.now() / 1000)
        assert.match(jti, /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/)
      })
    }

    it("keeps its lifetime", async () => {
      const token = await writer.encode({ token: {}, secret: "s1", salt: "salt", maxAge: 90 })
      const { iat, exp } = await reader.decode({ token, secret: "s1", salt: "salt" })
      assert.equal(exp - iat, 90)
    })

    it("has the same header and the same length", async () => {
      const [one, other] = await Promise.all(
        [writer, reader].map(({ encode }) => encode({ token: claims, secret: "s1", salt: "salt" })),
      )
      assert.equal(one.split(".", 1)[0], other.split(".", 1)[0])
      assert.equal(one.length, other.length)
    })

    it("opens after the secret was rotated", async () => {
      const token = await writer.encode({ token: claims, secret: "old", salt: "salt" })
      const opened = await reader.decode({ token, secret: ["newest", "new", "old"], salt: "salt" })
      assert.equal(opened.sub, "42")
    })

    it("is written with the newest of several secrets", async () => {
      const token = await writer.encode({ token: claims, secret: ["newest", "new", "old"], salt: "salt" })
      assert.equal((await reader.decode({ token, secret: "newest", salt: "salt" })).sub, "42")
      await assert.rejects(reader.decode({ token, secret: ["new", "old"], salt: "salt" }), {
        message: "no matching decryption secret",
      })
    })

    it("does not open with another secret, under another name, when changed, or after its time", async () => {
      const token = await writer.encode({ token: claims, secret: "s1", salt: "salt" })
      const late = await writer.encode({ token: claims, secret: "s1", salt: "salt", maxAge: -60 })
      const last = token.at(-5) === "A" ? "B" : "A"
      const changed = token.slice(0, -5) + last + token.slice(-4)
      await assert.rejects(reader.decode({ token, secret: "s2", salt: "salt" }))
      await assert.rejects(reader.decode({ token, secret: "s1", salt: "other" }))
      await assert.rejects(reader.decode({ token: changed, secret: "s1", salt: "salt" }))
      await assert.rejects(reader.decode({ token: late, secret: "s1", salt: "salt" }))
    })

    it("opens up to 15 seconds after its time, for clocks that differ", async () => {
      const token = await writer.encode({ token: claims, secret: "s1", salt: "salt", maxAge: -5 })
      assert.equal((await reader.decode({ token, secret: "s1", salt: "salt" })).sub, "42")
    })

    for (const kilobytes of [4, 6, 8, 10]) {
      it(`of ${kilobytes} KB is put together from its chunks by getToken`, async () => {
        const note = "n".repeat(kilobytes * 768)
        const salt = "__Secure-authjs.session-token"
        const token = await writer.encode({ token: { ...claims, note }, secret: "s1", salt })
        const chunks = token.match(/.{1,3936}/g).map((chunk, index) => `${salt}.${index}=${chunk}`)
        const headers = new Headers({ cookie: ["a=b", ...chunks.reverse(), "c=d"].join("; ") })
        const read = await reader.getToken({ req: { headers }, secret: "s1", secureCookie: true })
        assert.equal(read.note, note)
        assert.equal(await reader.getToken({ req: { headers }, secureCookie: true, raw: true }), token)
      })
    }
  })
}

describe("Both packages", () => {
  const both = [authJs, latchkey]

  it("open what older versions wrote: A256GCM, without a key id", async () => {
    const token =
      "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..BwcHBwcHBwcHBwcH.xPcLhmcPqPmiODKOZNq6maeJwCovg1A_wxpmBUY.9D3G3GH2aEk_rOCI2Vp8lA"
    for (const { decode } of both) {
      assert.deepEqual(await decode({ token, secret: "secret", salt: "authjs.session-token" }), {
        sub: "42",
        exp: 4102444800,
      })
    }
  })

  it("take no token for null", async () => {
    for (const { decode } of both) {
      assert.equal(await decode({ token: "", secret: "s1", salt: "salt" }), null)
      assert.equal(await decode({ secret: "s1", salt: "salt" }), null)
    }
  })

  it("refuse an empty secret", async () => {
    for (const { encode } of both) await assert.rejects(encode({ token: {}, secret: "", salt: "salt" }))
  })

  it("read a token from the Authorization header", async () => {
    const salt = "authjs.session-token"
    const token = await authJs.encode({ token: claims, secret: "s1", salt })
    for (const { getToken } of both) {
      const read = (authorization) => getToken({ req: { headers: { authorization } }, secret: "s1" })
      assert.equal((await read(`Bearer ${token}`)).sub, "42")
      assert.equal(await read(`bearer ${token}`), null)
      assert.equal(await read("Bearer %E0%A4%A"), null)
      assert.equal(await read("Basic YTpi"), null)
    }
  })

  it("ask getToken for what it cannot do without", async () => {
    const req = { headers: { cookie: "authjs.session-token=x" } }
    for (const { getToken } of both) {
      await assert.rejects(getToken({ secret: "s1" }))
      await assert.rejects(getToken({ req }), { type: "MissingSecret" })
      assert.equal(await getToken({ req, secret: "s1" }), null)
    }
  })
})
