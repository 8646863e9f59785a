/** Certificates that are good for a test: of an authority, of a server on this machine, and of a client. */
import { certify, type Certificate } from "../../support/certificates.js"

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

export async function makeCertificates(clientName: string): Promise<Certificates> {
  const authority = await certify({ subject: "CN=the authority of a test" })
  const withAuthority = ({ key, cert }: Certificate) => ({ key, cert, ca: authority.cert })
  const [server, client, selfSigned] = await Promise.all([
    certify({ subject: "CN=127.0.0.1", names: [{ type: "ip", value: "127.0.0.1" }], by: authority }),
    certify({ subject: "CN=client", names: [{ type: "dns", value: clientName }], by: authority }),
    certify({ subject: "CN=client" }),
  ])
  return { server: withAuthority(server), client: withAuthority(client), selfSigned: withAuthority(selfSigned) }
}
