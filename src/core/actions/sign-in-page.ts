/** The sign-in page: a button per OAuth provider, a form per credentials provider. */
import type { CredentialField } from "../../providers/kinds.js"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider, ResolvedProvider } from "../engine/providers.js"
import type { Scope } from "../engine/scope.js"
import type { FormField, ProviderButton, ProviderForm, SignInPage } from "../pages/models.js"
import { unreachable } from "../unreachable.js"
import { pageFrame } from "./page-frame.js"

export function signInPage(engine: Engine, scope: Scope): SignInPage {
  return {
    view: "signin",
    ...pageFrame(engine.theme, scope),
    csrfToken: scope.csrf.token,
    callbackUrl: scope.callbackUrl,
    providers: [...engine.providers.values()].flatMap((provider) => entryOf(provider, scope)),
    message: messageFor(scope.request.url.searchParams.get("error")),
  }
}

function entryOf(provider: ResolvedProvider, { baseUrl }: Scope): readonly (ProviderButton | ProviderForm)[] {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return [buttonOf(provider, `${baseUrl}/signin/${provider.id}`)]
    case "credentials": {
      const fields = Object.entries(provider.fields).map(([name, input]) => fieldOf(name, input))
      if (fields.length === 0) return []
      return [
        { kind: "form", id: provider.id, name: provider.name, action: `${baseUrl}/callback/${provider.id}`, fields },
      ]
    }
    default:
      return unreachable(provider, "kind of provider")
  }
}

function buttonOf({ id, name, style }: OAuthProvider, action: string): ProviderButton {
  const color = colorOr(style.brandColor ?? style.bg, "#fff")
  return { kind: "button", id, name, action, color, textColor: colorOr(style.text, "") }
}

/** A provider object may come from anywhere: its colours go into a stylesheet only when they are colours. */
function colorOr(color: string | undefined, fallback: string): string {
  return color !== undefined && /^(?:#[0-9a-f]{3,8}|[a-z]+)$/i.test(color) ? color : fallback
}

function fieldOf(name: string, { label, ...input }: CredentialField): FormField {
  const attributes: Readonly<Record<string, unknown>> = { type: "text", ...autocompleteOf(name, input), ...input }
  return {
    name,
    label: label ?? name,
    attributes: Object.entries(attributes).flatMap(([attribute, value]) => attributeOf(attribute, value)),
  }
}

/** Lets password managers know which field is which. */
function autocompleteOf(name: string, { type }: CredentialField): Readonly<Record<string, string>> {
  if (type === "password") return { autocomplete: "current-password" }
  return /^(?:e-?mail|user|username|login)$/i.test(name) ? { autocomplete: "username" } : {}
}

function attributeOf(name: string, value: unknown): readonly (readonly [string, string | true])[] {
  if (!/^[a-z][\w-]*$/i.test(name) || /^(?:on.*|style|name|id)$/i.test(name)) return []
  if (value === true) return [[name, true]]
  return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : []
}

/** What the sign-in page says about the last attempt, by its `error` code. */
const messages: ReadonlyMap<string, string> = new Map([
  ...["Signin", "OAuthSignin", "OAuthCreateAccount", "EmailCreateAccount", "Callback"].map(
    (code) => [code, "That did not work. Please try again, or sign in with another account."] as const,
  ),
  [
    "OAuthCallbackError",
    "The sign-in was cancelled or could not be completed. You can try again, or sign in another way.",
  ],
  [
    "OAuthAccountNotLinked",
    "Please sign in the way you did the first time: this account, or its e-mail address, belongs to somebody already.",
  ],
  ["AccountNotLinked", "Please sign in the way you did the first time: this passkey belongs to another account."],
  ["EmailSignin", "The e-mail could not be sent. Please check the address and try again."],
  ["CredentialsSignin", "That did not match. Please check what you entered and try again."],
  ["MissingCSRF", "This page had been open for a while. Please try again."],
])

function messageFor(error: string | null): SignInPage["message"] {
  if (!error) return undefined
  if (error === "SessionRequired") return { tone: "notice", text: "Please sign in to see this page." }
  return { tone: "error", text: messages.get(error) ?? "The sign-in did not work. Please try again." }
}
