/** What each built-in page shows. Everything is a plain value: the views decide nothing. */
import type { ErrorPageParam, Theme } from "../types.js"

interface Page {
  readonly theme: Required<Theme>
  /** Origin of the application, and its host for people to read. */
  readonly site: { readonly url: string; readonly host: string }
  /** Address of the sign-in page. */
  readonly signinUrl: string
}

/** One input of a credentials form: attributes of the `<input>`, plus its label. */
export interface FormField {
  readonly name: string
  readonly label: string
  /** Further attributes in order, such as `type`, `placeholder`, `autocomplete`, `required`. */
  readonly attributes: readonly (readonly [name: string, value: string | true])[]
}

export interface ProviderButton {
  readonly kind: "button"
  readonly id: string
  readonly name: string
  /** Where the form posts to. */
  readonly action: string
  /** CSS colours of the vendor, already checked to be colours. An empty `textColor` means black or white, as reads better. */
  readonly color: string
  readonly textColor: string
}

export interface ProviderForm {
  readonly kind: "form"
  readonly id: string
  readonly name: string
  readonly action: string
  readonly fields: readonly FormField[]
}

export interface SignInPage extends Page {
  readonly view: "signin"
  readonly csrfToken: string
  /** Validated address to return to. */
  readonly callbackUrl: string
  readonly providers: readonly (ProviderButton | ProviderForm)[]
  /** Sentence about the last attempt, if there was one. `notice` is no failure, as when a page asked for a sign-in. */
  readonly message?: { readonly tone: "error" | "notice"; readonly text: string }
}

export interface SignOutPage extends Page {
  readonly view: "signout"
  readonly csrfToken: string
  readonly action: string
  readonly callbackUrl: string
  /** The provider's session is to end as well, where an OpenID Connect provider is configured. */
  readonly federated?: {
    /** Name of the provider, where it can be no other. */
    readonly name?: string
    /** Id of the provider that was asked for. */
    readonly provider?: string
  }
}

export interface VerifyRequestPage extends Page {
  readonly view: "verify-request"
}

export interface ErrorPage extends Page {
  readonly view: "error"
  readonly error: ErrorPageParam | "Default"
  /** Names the occurrence in the server's log. */
  readonly correlationId?: string
  /**
   * For somebody who is signed in. A sign-in with another account would link that to theirs, so they sign out first; from
   * there they are led to sign in, and back.
   */
  readonly signoutUrl?: string
  /** In development only: what was expected and what arrived. */
  readonly detail?: string
}

export type PageModel = SignInPage | SignOutPage | VerifyRequestPage | ErrorPage

/** Status with which each page is answered. */
export const errorPageStatus: Readonly<Record<ErrorPage["error"], number>> = {
  Configuration: 500,
  AccessDenied: 403,
  Verification: 403,
  Default: 200,
}
