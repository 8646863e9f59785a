/** The part of `oidc-provider` 9 that the test kit uses. The package ships without types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  export interface Interaction {
    readonly uid: string
    readonly params: Readonly<Record<string, unknown>>
  }

  export type InteractionResult =
    | { readonly login: { readonly accountId: string }; readonly consent: { readonly grantId: string } }
    | { readonly error: string; readonly error_description?: string }

  export interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  /** What the provider stores under one kind of record ("Session", "AuthorizationCode" and so on). */
  export interface StoredPayload {
    readonly grantId?: string
    readonly uid?: string
    readonly userCode?: string
    readonly consumed?: number
    readonly [field: string]: unknown
  }

  export interface Adapter {
    upsert(id: string, payload: StoredPayload, expiresInSeconds: number): Promise<void>
    find(id: string): Promise<StoredPayload | undefined>
    findByUid(uid: string): Promise<StoredPayload | undefined>
    findByUserCode(userCode: string): Promise<StoredPayload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export interface Account {
    readonly accountId: string
    claims(): Promise<Readonly<Record<string, unknown>> & { readonly sub: string }>
  }

  export interface ErrorContext {
    type: string
    body: unknown
    set(header: string, value: string): void
  }

  export interface Configuration {
    readonly adapter: (kind: string) => Adapter
    readonly claims: Readonly<Record<string, readonly string[]>>
    readonly clients: readonly Readonly<Record<string, unknown>>[]
    readonly clientBasedCORS: () => boolean
    readonly conformIdTokenClaims: boolean
    readonly cookies: { readonly keys: readonly string[] }
    readonly features: Readonly<Record<string, { readonly enabled: boolean }>>
    readonly findAccount: (context: unknown, sub: string) => Account | undefined
    readonly interactions: { readonly url: (context: unknown, interaction: Interaction) => string }
    readonly jwks: { readonly keys: readonly object[] }
    readonly renderError: (
      context: ErrorContext,
      out: { readonly error: string; readonly error_description?: string },
    ) => void
    readonly ttl: Readonly<Record<string, number>>
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    readonly Client: { readonly prototype: { redirectUriAllowed(uri: string): boolean } }
    readonly Grant: new (owner: { readonly accountId: string; readonly clientId: string }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: InteractionResult): Promise<void>
  }
}
