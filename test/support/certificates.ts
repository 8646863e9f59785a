/** Certificates of the tests. */
import type { JsonGeneralNames } from "@peculiar/x509"

export interface Certificate {
  /** PEM. */
  readonly key: string
  /** PEM. */
  readonly cert: string
  readonly subject: string
  readonly pair: CryptoKeyPair
}

interface Contents {
  readonly subject: string
  readonly names?: JsonGeneralNames
  /** Default: itself. */
  readonly by?: Certificate
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const hour = 60 * 60 * 1000

/** A certificate of an hour before and after now. One without `names` may sign others. */
export async function certify({ subject, names = [], by }: Contents): Promise<Certificate> {
  defineReflection()
  const x509 = await import("@peculiar/x509")
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
  const certificate = await x509.X509CertificateGenerator.create({
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + hour),
    subject,
    issuer: by?.subject ?? subject,
    publicKey: pair.publicKey,
    signingKey: (by?.pair ?? pair).privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(names.length === 0),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  })
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", pair.privateKey), "PRIVATE KEY")
  return { key, cert: certificate.toString("pem"), subject, pair }
}

/** `@peculiar/x509` does not load without the metadata part of `Reflect`, which no engine has. */
function defineReflection(): void {
  const known = new WeakMap<object, Map<unknown, unknown>>()
  const getOwnMetadata = (key: unknown, target: object) => known.get(target)?.get(key)
  const getMetadata = (key: unknown, target: object | null): unknown =>
    target === null ? undefined : (getOwnMetadata(key, target) ?? getMetadata(key, Reflect.getPrototypeOf(target)))
  const defineMetadata = (key: unknown, value: unknown, target: object) => {
    known.set(target, (known.get(target) ?? new Map<unknown, unknown>()).set(key, value))
  }
  const metadata = (key: unknown, value: unknown) => (target: object) => defineMetadata(key, value, target)
  if (!("getMetadata" in Reflect)) {
    Object.assign(Reflect, { defineMetadata, getMetadata, getOwnMetadata, metadata })
  }
}
