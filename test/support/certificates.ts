/** Certificates of the tests. */
import "reflect-metadata"
import * as x509 from "@peculiar/x509"

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
  readonly names?: x509.JsonGeneralNames
  /** Default: itself. */
  readonly by?: Certificate
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const hour = 60 * 60 * 1000

/** A certificate of an hour before and after now. One without `names` may sign others. */
export async function certify({ subject, names = [], by }: Contents): Promise<Certificate> {
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
