/**
 * Every failure that Latchkey knows by name. `error-table.ts` says what becomes of each. Classes are recognised by their
 * `type`, so those of `@auth/core` thrown by an application count too.
 */

import { errorTable, rowOf, type ErrorType } from "./error-table.js"
import { isError } from "./thrown.js"

export type { ErrorType }

/** Context of an error: the error it wraps, and anything that helps whoever reads the log. Never a secret. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

interface AuthErrorOptions {
  readonly cause?: unknown
  readonly [context: string]: unknown
}

/** Base class of everything that Latchkey throws or gives to `logger.error`. */
export class AuthError extends Error {
  static type: ErrorType = "AuthError"
  static kind: "error" | "signIn" = "error"

  readonly type: ErrorType
  /** Which page tells the person about it. */
  readonly kind: "error" | "signIn"
  // Declared, not defined: a field of its own would wipe out what Error's constructor set.
  declare cause?: ErrorCause
  /** Names this occurrence in the log and on the error page. Set when the failure is answered. */
  correlationId?: string

  /**
   * @param message What was expected, and where; or the error to wrap; or just options.
   * @param errorOptions Options, of which `cause` counts; or the error to wrap.
   */
  constructor(message?: string | Error | AuthErrorOptions, errorOptions?: Error | AuthErrorOptions) {
    super(undefined, { cause: causeOf(message, errorOptions) })
    this.name = new.target.name
    this.type = new.target.type
    this.kind = new.target.kind
    const text = typeof message === "string" && message !== "" ? `${message}. ` : ""
    this.message = isOurs(this.type)
      ? text.trimEnd()
      : `${text}Read more at https://errors.authjs.dev#${this.type.toLowerCase()}`
  }

  /** HTTP status of this failure, as Express and `http-errors` read it. */
  get status(): number {
    return rowOf(this).status
  }

  get statusCode(): number {
    return this.status
  }

  /** Whether the message may be shown to the client: never, as it is written for whoever runs the server. */
  get expose(): boolean {
    return false
  }
}

/** Errors that Auth.js does not have, and its pages do not explain. */
function isOurs(type: ErrorType): boolean {
  return type === "ReauthenticationRequired" || type === "TokenRefreshError"
}

/** With an error to wrap, further options count as context as well. */
function causeOf(message: unknown, options: unknown): ErrorCause | undefined {
  const given: ErrorCause = isError(options) ? { err: options } : recordOf(optionCause(options))
  if (isError(message)) {
    const { cause: _given, ...context } = isError(options) ? {} : recordOf(options)
    return { err: message, ...recordOf(message.cause), ...context, ...given }
  }
  const all = typeof message === "object" && message !== null ? { ...recordOf(optionCause(message)), ...given } : given
  return Object.keys(all).length > 0 ? all : undefined
}

function optionCause(options: unknown): unknown {
  return typeof options === "object" && options !== null && "cause" in options ? options.cause : undefined
}

function recordOf(cause: unknown): ErrorCause {
  if (isError(cause)) return { err: cause }
  return typeof cause === "object" && cause !== null ? { ...cause } : {}
}

/** A failure that the sign-in page tells the person about. */
export class SignInError extends AuthError {
  static override kind = "signIn" as const
}

/** The `signIn` callback said no, or threw: `message` is then the original error's, and `cause.err` holds it. */
export class AccessDenied extends AuthError {
  static override type = "AccessDenied" as const
  constructor(message?: string | Error | AuthErrorOptions, errorOptions?: Error | AuthErrorOptions) {
    super(message, errorOptions)
    if (this.cause?.err) this.message = this.cause.err.message
  }
}
/** This passkey belongs to another user. */
export class AccountNotLinked extends SignInError {
  static override type = "AccountNotLinked" as const
}
/** A method of the storage adapter threw; `cause.err` holds what. */
export class AdapterError extends AuthError {
  static override type = "AdapterError" as const
}
/** Something other than an `AuthError` was thrown while a sign-in was completed; `cause.provider` names the provider. */
export class CallbackRouteError extends AuthError {
  static override type = "CallbackRouteError" as const
}
/**
 * Throw it from `authorize` to refuse a sign-in. `code` is shown to the client, so let it not hint at the reason:
 * "user not found" tells an attacker which accounts exist.
 */
export class CredentialsSignin extends SignInError {
  static override type = "CredentialsSignin" as const
  /** Becomes the `code` query parameter. Default `credentials`. */
  code = "credentials"
}
export class DuplicateConditionalUI extends AuthError {
  static override type = "DuplicateConditionalUI" as const
}
/** The e-mail with the sign-in link could not be sent. */
export class EmailSignInError extends SignInError {
  static override type = "EmailSignInError" as const
}
/** `pages.error` led back to itself. */
export class ErrorPageLoop extends AuthError {
  static override type = "ErrorPageLoop" as const
}
/** An event handler threw. Logged only: events never change a flow. */
export class EventError extends AuthError {
  static override type = "EventError" as const
}
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = "ExperimentalFeatureNotEnabled" as const
}
/** A `callbackUrl` that is no http(s) address. Logged only: the address is ignored. */
export class InvalidCallbackUrl extends AuthError {
  static override type = "InvalidCallbackUrl" as const
}
/** State, PKCE verifier, nonce or challenge is missing, foreign, expired or does not match. */
export class InvalidCheck extends AuthError {
  static override type = "InvalidCheck" as const
}
/** The configuration has problems; `cause.problems` lists every one with its path. */
export class InvalidConfiguration extends AuthError {
  static override type = "InvalidConfiguration" as const
}
/** An OAuth provider has neither an issuer nor the endpoints. */
export class InvalidEndpoints extends AuthError {
  static override type = "InvalidEndpoints" as const
}
/** The action cannot be used with this provider. */
export class InvalidProvider extends AuthError {
  static override type = "InvalidProvider" as const
}
/** A token session could not be opened (logged; signed out), or a callback failed while reading it (an error). */
export class JWTSessionError extends AuthError {
  static override type = "JWTSessionError" as const
}
export class MissingAdapter extends AuthError {
  static override type = "MissingAdapter" as const
}
export class MissingAdapterMethods extends AuthError {
  static override type = "MissingAdapterMethods" as const
}
/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type = "MissingAuthorize" as const
}
/** The form's `csrfToken` is missing or does not belong to this browser. */
export class MissingCSRF extends SignInError {
  static override type = "MissingCSRF" as const
}
/** Neither `secret` nor `AUTH_SECRET` is set. */
export class MissingSecretError extends AuthError {
  static override type = "MissingSecret" as const
}
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = "MissingWebAuthnAutocomplete" as const
}
/** This identity, or its e-mail address, belongs to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type = "OAuthAccountNotLinked" as const
}
/** The provider answered with an error, for instance because the person cancelled. */
export class OAuthCallbackError extends SignInError {
  static override type = "OAuthCallbackError" as const
}
/** The provider's `profile` callback threw or gave no usable id. */
export class OAuthProfileParseError extends SignInError {
  static override type = "OAuthProfileParseError" as const
}
/** The sign-in could not be started. */
export class OAuthSignInError extends SignInError {
  static override type = "OAuthSignInError" as const
}
/** Why a provider's access token cannot be had without the person. */
export type ReauthenticationReason = "signed-out" | "not-linked" | "no-refresh-token" | "refused"

/** There is no usable access token, and only a new sign-in with `provider` brings one. */
export class ReauthenticationRequired extends SignInError {
  static override type = "ReauthenticationRequired" as const
  constructor(
    readonly provider: string,
    readonly reason: ReauthenticationReason,
  ) {
    super(`No access token of "${provider}" (${reason}): let the person sign in with it again`, {
      cause: { provider, reason },
    })
  }
}
/** A database session could not be read. */
export class SessionTokenError extends AuthError {
  static override type = "SessionTokenError" as const
}
/** Ending the session failed on the server; the cookie was removed all the same. */
export class SignOutError extends AuthError {
  static override type = "SignOutError" as const
}
/** The provider could not be asked for a new access token, or gave none that holds; `cause.err` says why. */
export class TokenRefreshError extends AuthError {
  static override type = "TokenRefreshError" as const
}
/** No such action, or not with this method. */
export class UnknownAction extends AuthError {
  static override type = "UnknownAction" as const
}
export class UnsupportedStrategy extends AuthError {
  static override type = "UnsupportedStrategy" as const
}
/** The host of the request is not one that this server should answer for. */
export class UntrustedHost extends AuthError {
  static override type = "UntrustedHost" as const
}
/** The link in the e-mail was used before, has expired or is not ours. */
export class Verification extends AuthError {
  static override type = "Verification" as const
}
export class WebAuthnVerificationError extends AuthError {
  static override type = "WebAuthnVerificationError" as const
}

export { MissingSecretError as MissingSecret }

/** The parts of an `AuthError` that behaviour depends on. */
export type AuthErrorLike = Error & {
  readonly type: ErrorType
  readonly kind?: "error" | "signIn"
  readonly code?: unknown
  readonly cause?: unknown
}

/** Whether `error` is an `AuthError`, ours or one built on the classes of `@auth/core`. */
export function isAuthError(error: unknown): error is AuthErrorLike {
  if (error instanceof AuthError) return true
  return isError(error) && "type" in error && typeof error.type === "string" && Object.hasOwn(errorTable, error.type)
}

/** Whether the client may learn the type of `error`. */
export function isClientError(error: unknown): error is AuthErrorLike {
  return isAuthError(error) && rowOf(error).clientSafe
}
