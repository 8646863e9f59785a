/** The issuer that a token must name. */

/** Microsoft's common endpoints have one document for all tenants. */
export function issuerFor(issuer: string, { tid }: Readonly<Record<string, unknown>>): string {
  return typeof tid === "string" ? issuer.replace("{tenantid}", () => tid) : issuer
}
