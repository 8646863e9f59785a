/** Certificates that are good for a test: of an authority, of a server on this machine, and of a client. */
import "./reflect-metadata.js"
import { webcrypto } from "node:crypto"
import type * as X509 from "@peculiar/x509"

/** PEM texts, as `node:tls` takes them. */
export interface KeyAndCertificate {
  readonly key: string
  readonly cert: string
  /** The authority that the other side's certificate is from. */
  readonly ca: string
}

export interface Certificates {
  readonly server: KeyAndCertificate
  readonly client: KeyAndCertificate
  /** A client that nobody has vouched for. */
  readonly selfSigned: KeyAndCertificate
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const hour = 60 * 60 * 1000

export async function makeCertificates(clientName: string): Promise<Certificates> {
  // Not before what it needs of Reflect is there: Jest loads what is imported at the top first.
  const x509 = await import("@peculiar/x509")
  x509.cryptoProvider.set(webcrypto as Crypto)
  const authority = await makeAuthority(x509)
  const ca = authority.certificate.toString("pem")
  return {
    server: { ...(await issue(x509, authority, "CN=127.0.0.1", { type: "ip", value: "127.0.0.1" })), ca },
    client: { ...(await issue(x509, authority, "CN=client", { type: "dns", value: clientName })), ca },
    selfSigned: { ...(await selfSign(x509, "CN=client")), ca },
  }
}

type Authority = Awaited<ReturnType<typeof makeAuthority>>

async function makeAuthority(x509: typeof X509) {
  const keys = await makeKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...frame(),
    name: "CN=the authority of a test",
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  })
  return { keys, certificate }
}

async function issue(
  x509: typeof X509,
  { keys: signer, certificate: issuer }: Authority,
  subject: string,
  name: X509.JsonGeneralName,
) {
  const keys = await makeKeys()
  const certificate = await x509.X509CertificateGenerator.create({
    ...frame(),
    subject,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: signer.privateKey,
    extensions: [new x509.SubjectAlternativeNameExtension([name])],
  })
  return { key: await pemOf(keys.privateKey), cert: certificate.toString("pem") }
}

async function selfSign(x509: typeof X509, name: string) {
  const keys = await makeKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({ ...frame(), name, keys })
  return { key: await pemOf(keys.privateKey), cert: certificate.toString("pem") }
}

function frame() {
  const serialNumber = crypto.randomUUID().replaceAll("-", "").replace(/^./, "1")
  const now = Date.now()
  return { serialNumber, notBefore: new Date(now - hour), notAfter: new Date(now + hour), signingAlgorithm: algorithm }
}

function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
}

async function pemOf(key: CryptoKey): Promise<string> {
  const body = Buffer.from(await crypto.subtle.exportKey("pkcs8", key)).toString("base64")
  return `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`
}
