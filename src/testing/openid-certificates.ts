/** Certificates of clients, for mutual TLS (RFC 8705). */
import type { X509Certificate } from "node:crypto"
import { TLSSocket } from "node:tls"
import type { Context, MutualTls } from "oidc-provider"

/** How `oidc-provider` learns of the certificate that came with a request. */
export const mutualTls: MutualTls = {
  enabled: true,
  certificateBoundAccessTokens: true,
  selfSignedTlsClientAuth: true,
  tlsClientAuth: true,
  getCertificate,
  certificateAuthorized: ({ req }) => req.socket instanceof TLSSocket && req.socket.authorized,
  certificateSubjectMatches: (context, property, expected) => {
    const certificate = getCertificate(context)
    return certificate !== undefined && namesOf(certificate, property).includes(expected)
  },
}

function getCertificate({ req }: Context): X509Certificate | undefined {
  return req.socket instanceof TLSSocket ? req.socket.getPeerX509Certificate() : undefined
}

const alternativeNames: Readonly<Record<string, string>> = {
  tls_client_auth_san_dns: "DNS:",
  tls_client_auth_san_ip: "IP Address:",
  tls_client_auth_san_email: "email:",
  tls_client_auth_san_uri: "URI:",
}

/** What a certificate says under a property of RFC 8705, section 2.1.2. */
function namesOf({ subject, subjectAltName = "" }: X509Certificate, property: string): readonly string[] {
  const kind = alternativeNames[property]
  // RFC 4514 begins with what comes last in the certificate.
  if (kind === undefined) return [subject.split("\n").reverse().join(",")]
  return subjectAltName
    .split(", ")
    .filter((name) => name.startsWith(kind))
    .map((name) => name.slice(kind.length))
}
