// @ts-check
import { generateKeyPairSync, sign } from "node:crypto"

const header = { alg: "RS256", typ: "JWT", kid: "bench" }

/** Signs ID tokens with a new key. */
export function createSigner() {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const head = encode(header)
  return {
    publicKey: { ...publicKey.export({ format: "jwk" }), alg: header.alg, kid: header.kid, use: "sig" },
    /** @param {object} claims */
    sign(claims) {
      const input = `${head}.${encode(claims)}`
      return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`
    },
  }
}

/** @param {object} part */
function encode(part) {
  return Buffer.from(JSON.stringify(part)).toString("base64url")
}
