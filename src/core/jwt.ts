/** The entry `latchkey/jwt`: session tokens. */
export { decode, encode } from "./crypto/jwt.js"
export type { JWTDecodeParams, JWTEncodeParams, JWTOptions } from "./crypto/jwt.js"
export { getToken } from "./sessions/get-token.js"
export type { GetTokenParams } from "./sessions/get-token.js"
export type { DefaultJWT, JWT } from "./types.js"
