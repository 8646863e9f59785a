/** How long the texts of each column get. */
import type { TableKey } from "../../adapters/sql/schema.js"

interface Length {
  /** What is always stored does not fit into less. Default 1. */
  readonly needs?: number
  /** What may well come does not fit into less. */
  readonly wants: number
}

/** A UUID, the usual id and session token. */
const uuid: Length = { needs: 36, wants: 36 }

/** An address of RFC 5321, section 4.5.3.1, less its brackets. */
const email: Length = { wants: 254 }

/** Tokens of providers are often JSON Web Tokens with a long list of claims. */
const providerToken: Length = { wants: 2048 }

const lengths: Readonly<Record<TableKey, Readonly<Record<string, Length>>>> = {
  users: { id: uuid, name: { wants: 100 }, email },
  accounts: {
    userId: uuid,
    type: { needs: 8, wants: 8 },
    provider: { wants: 32 },
    token_type: { wants: 16 },
    access_token: providerToken,
    refresh_token: providerToken,
    id_token: providerToken,
  },
  // A session token may be longer than a UUID where the application makes its own.
  sessions: { userId: uuid, sessionToken: { needs: 36, wants: 255 } },
  // The token is a SHA-256 hash in hexadecimal digits.
  verificationTokens: { identifier: email, token: { needs: 64, wants: 64 } },
  authenticators: {
    userId: uuid,
    // Up to 1023 bytes (WebAuthn, section 5.8.3), in base64.
    credentialID: { wants: 1364 },
    credentialPublicKey: { wants: 512 },
    credentialDeviceType: { needs: 12, wants: 12 },
    transports: { wants: 64 },
  },
}

// OpenID Connect Core, section 2, gives the id of a person at a provider up to 255 characters.
const usual: Length = { wants: 255 }

export function lengthOf(table: TableKey, column: string): Required<Length> {
  return { needs: 1, ...(lengths[table][column] ?? usual) }
}
