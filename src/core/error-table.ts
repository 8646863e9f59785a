/** What becomes of each kind of failure. Nothing in the code branches on the text of an error. */

/** What becomes of a failure. */
export interface ErrorRow {
  /** Page that tells the person about it: `pages[page]`, or the built-in one. */
  readonly page: "error" | "signIn"
  /** Value of the `error` query parameter on that page. */
  readonly shows: string
  /** HTTP status towards clients that speak JSON. From 500 on it is the server's fault, and reaches error middleware. */
  readonly status: number
  /** Whether a client may learn the type; otherwise it sees `Configuration`. */
  readonly clientSafe: boolean
}

const configuration = { page: "error", shows: "Configuration", status: 500, clientSafe: false } as const
const badRequest = { ...configuration, status: 400 } as const

export const errorTable = {
  AuthError: configuration,
  AccessDenied: { page: "error", shows: "AccessDenied", status: 403, clientSafe: true },
  AccountNotLinked: { page: "signIn", shows: "AccountNotLinked", status: 409, clientSafe: true },
  AdapterError: configuration,
  CallbackRouteError: configuration,
  CredentialsSignin: { page: "signIn", shows: "CredentialsSignin", status: 401, clientSafe: true },
  DuplicateConditionalUI: configuration,
  EmailSignInError: { ...configuration, page: "signIn" },
  ErrorPageLoop: configuration,
  EventError: configuration,
  ExperimentalFeatureNotEnabled: configuration,
  InvalidCallbackUrl: badRequest,
  InvalidCheck: badRequest,
  InvalidConfiguration: configuration,
  InvalidEndpoints: configuration,
  InvalidProvider: badRequest,
  JWTSessionError: configuration,
  MissingAdapter: configuration,
  MissingAdapterMethods: configuration,
  MissingAuthorize: configuration,
  MissingCSRF: { page: "signIn", shows: "MissingCSRF", status: 403, clientSafe: true },
  MissingSecret: configuration,
  MissingWebAuthnAutocomplete: configuration,
  OAuthAccountNotLinked: { page: "signIn", shows: "OAuthAccountNotLinked", status: 409, clientSafe: true },
  OAuthCallbackError: { page: "signIn", shows: "OAuthCallbackError", status: 400, clientSafe: true },
  OAuthProfileParseError: { page: "signIn", shows: "OAuthCallbackError", status: 502, clientSafe: false },
  OAuthSignInError: { ...configuration, page: "signIn" },
  ReauthenticationRequired: { page: "signIn", shows: "SessionRequired", status: 401, clientSafe: true },
  SessionTokenError: configuration,
  SignOutError: configuration,
  TokenRefreshError: { ...configuration, status: 502 },
  UnknownAction: badRequest,
  UnsupportedStrategy: configuration,
  UntrustedHost: configuration,
  Verification: { page: "error", shows: "Verification", status: 403, clientSafe: true },
  WebAuthnVerificationError: { page: "error", shows: "WebAuthnVerificationError", status: 401, clientSafe: true },
} as const satisfies Record<string, ErrorRow>

/** Identifies an error in logs and in behaviour. */
export type ErrorType = keyof typeof errorTable

/** What becomes of `error`. An application's own class may have a type of its own, and says its page by `kind`. */
export function rowOf({ type, kind }: { readonly type: ErrorType; readonly kind?: ErrorRow["page"] }): ErrorRow {
  const row: ErrorRow = Object.hasOwn(errorTable, type) ? errorTable[type] : configuration
  return kind === undefined ? row : { ...row, page: kind }
}
