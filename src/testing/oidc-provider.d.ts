/** The part of `oidc-provider` 9 that the test kit uses. The package ships without types. */
declare module "oidc-provider" {
  import type { X509Certificate } from "node:crypto"
  import type { IncomingMessage, ServerResponse } from "node:http"

  export interface Interaction {
    readonly uid: string
    readonly params: Readonly<Record<string, unknown>>
    readonly prompt: { readonly name: string }
    /** Nothing where nobody has signed in yet. */
    readonly session?: { readonly accountId: string }
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
    readonly accountId?: string
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

  export interface Client {
    readonly clientId: string
    readonly backchannelLogoutUri?: string
    /** Rejects where the application does not accept the logout token. */
    backchannelLogout(sub: string, sid: string): Promise<void>
    grantTypeAllowed(grantType: string): boolean
  }

  export interface Session {
    readonly accountId?: string
    readonly authorizations?: Readonly<Record<string, { readonly sid: string }>>
    readonly state?: { readonly secret: string; readonly postLogoutRedirectUri?: string }
    destroy(): Promise<void>
  }

  /** A Koa context, and what `oidc-provider` keeps there. */
  export interface Context {
    readonly req: IncomingMessage
    readonly path: string
    readonly status: number
    body: unknown
    set(header: string, value: string): void
    redirect(address: string): void
    /** Nothing where no route was found. */
    readonly oidc?: {
      readonly route: string
      /** Nothing where the request was refused before they were read. */
      readonly params?: Readonly<Record<string, unknown>>
      readonly session?: Session
      readonly entities: { readonly IdTokenHint?: { readonly payload: { readonly sub?: unknown } } }
    }
  }

  export interface LogoutPages {
    readonly logoutSource: (context: Context, form: string) => Promise<void>
    readonly postLogoutSuccessSource: (context: Context) => Promise<void>
  }

  export interface MutualTls {
    readonly enabled: boolean
    readonly certificateBoundAccessTokens: boolean
    readonly selfSignedTlsClientAuth: boolean
    readonly tlsClientAuth: boolean
    readonly getCertificate: (context: Context) => X509Certificate | undefined
    readonly certificateAuthorized: (context: Context) => boolean
    readonly certificateSubjectMatches: (context: Context, property: string, expected: string) => boolean
  }

  interface Features {
    readonly backchannelLogout: { readonly enabled: boolean }
    readonly devInteractions: { readonly enabled: boolean }
    readonly requestObjects: { readonly enabled: boolean }
    readonly rpInitiatedLogout: { readonly enabled: boolean } & LogoutPages
    readonly mTLS?: MutualTls
  }

  export interface Configuration {
    readonly adapter: (kind: string) => Adapter
    readonly claims: Readonly<Record<string, readonly string[]>>
    readonly clients: readonly Readonly<Record<string, unknown>>[]
    readonly clientBasedCORS: () => boolean
    readonly conformIdTokenClaims: boolean
    readonly cookies: { readonly keys: readonly string[] }
    readonly discovery?: Readonly<Record<string, unknown>>
    readonly expiresWithSession?: () => Promise<boolean>
    readonly features: Features
    readonly fetch: (address: string | URL, options: RequestInit) => Promise<Response>
    readonly findAccount: (context: unknown, sub: string) => Account | undefined
    readonly interactions: { readonly url: (context: unknown, interaction: Interaction) => string }
    readonly issueRefreshToken?: (context: unknown, client: Client) => Promise<boolean>
    readonly jwks: { readonly keys: readonly object[] }
    readonly renderError: (
      context: Context,
      out: { readonly error: string; readonly error_description?: string },
    ) => void
    readonly rotateRefreshToken?: boolean
    readonly ttl: Readonly<Record<string, number>>
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    readonly Client: {
      readonly prototype: {
        redirectUriAllowed(uri: string): boolean
        postLogoutRedirectUriAllowed(uri: string): boolean
      }
      find(clientId: string): Promise<Client | undefined>
    }
    readonly Grant: new (owner: { readonly accountId: string; readonly clientId: string }) => Grant
    readonly Session: { find(id: string): Promise<Session | undefined> }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: InteractionResult): Promise<void>
    on(event: "grant.success" | "grant.error", listener: (context: Context) => void): void
    on(event: "backchannel.success", listener: (context: Context, client: Client) => void): void
    on(event: "backchannel.error", listener: (context: Context, error: Error, client: Client) => void): void
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
  }
}
