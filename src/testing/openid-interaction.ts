import type { IncomingMessage, ServerResponse } from "node:http"
import type { Interaction, InteractionResult, Provider } from "oidc-provider"
import { findHintedAccount, type OpenIDAccount, type OpenIDLogin } from "./openid-accounts.js"
import { renderChoice, renderNotice, type OpenIDPage } from "./openid-pages.js"

/** What answering an interaction takes. */
export interface InteractionDesk {
  readonly provider: Provider
  readonly accounts: readonly OpenIDAccount[]
  readonly login: OpenIDLogin
}

type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

/** Path below which {@link answerInteraction} stands. */
export const interactionPath = "/interaction/"

/** Answers the step of a sign-in in which somebody says who they are: at once, or through a page. Never rejects. */
export async function answerInteraction(desk: InteractionDesk, ...exchange: Exchange): Promise<void> {
  try {
    await identify(desk, await desk.provider.interactionDetails(...exchange), exchange)
  } catch (error) {
    const isLost = error instanceof Error && error.name === "SessionNotFound"
    const page = isLost
      ? renderNotice("This sign-in has ended", "Start it again in the application.")
      : renderNotice("The local provider failed", String(error))
    sendPage(exchange[1], isLost ? 400 : 500, page)
  }
}

async function identify(desk: InteractionDesk, interaction: Interaction, exchange: Exchange): Promise<void> {
  const [request, response] = exchange
  const hinted = findHintedAccount(desk.accounts, interaction.params.login_hint)
  const known = knownAccount(desk, interaction)

  if (known) return finish(desk, interaction, known, exchange)
  if (desk.login === "automatic") return finish(desk, interaction, hinted ?? desk.accounts[0], exchange)
  if (request.method !== "POST") {
    return sendPage(response, 200, renderChoice({ accounts: desk.accounts, hinted, host: readHost(interaction) }))
  }
  const chosen = (await readForm(request)).get("account")
  return finish(
    desk,
    interaction,
    desk.accounts.find((account) => account.sub === chosen),
    exchange,
  )
}

/** Whoever the provider knows already, and only has to be asked what the application may learn. */
function knownAccount({ accounts }: InteractionDesk, { prompt, session }: Interaction): OpenIDAccount | undefined {
  return prompt.name === "consent" ? accounts.find(({ sub }) => sub === session?.accountId) : undefined
}

async function finish(
  { provider }: InteractionDesk,
  interaction: Interaction,
  account: OpenIDAccount | undefined,
  exchange: Exchange,
): Promise<void> {
  const result = account ? await grantAll(provider, interaction, account) : cancelled
  await provider.interactionFinished(...exchange, result)
}

const cancelled: InteractionResult = { error: "access_denied", error_description: "The sign-in was cancelled" }

async function grantAll(
  provider: Provider,
  { params }: Interaction,
  account: OpenIDAccount,
): Promise<InteractionResult> {
  const grant = new provider.Grant({ accountId: account.sub, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  return { login: { accountId: account.sub }, consent: { grantId: await grant.save() } }
}

function readHost({ params }: Interaction): string {
  return new URL(String(params.redirect_uri)).host
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

function sendPage(response: ServerResponse, status: number, { headers, html }: OpenIDPage): void {
  response.writeHead(status, { ...headers }).end(html)
}
