import { createHash } from "node:crypto"
import type { Context } from "oidc-provider"
import type { OpenIDAccount } from "./openid-accounts.js"

/** HTML of a page together with the headers it is sent with. */
export interface OpenIDPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

interface ChoiceInput {
  readonly accounts: readonly OpenIDAccount[]
  /** The account that `login_hint` named; its button has the focus. */
  readonly hinted: OpenIDAccount | undefined
  /** Host of the application that asked. */
  readonly host: string
}

/** The page on which a developer chooses who to be. Posts `account` or `cancel` to its own address. */
export function renderChoice({ accounts, hinted, host }: ChoiceInput): OpenIDPage {
  const buttons = accounts.map((account) => renderAccount(account, account === hinted)).join("\n")
  return renderPage(
    "Choose who to be",
    `<h1>Choose who to be</h1>
    <p>to go on to <strong>${escapeHtml(host)}</strong></p>
    <form method="post">
      <ul>
${buttons}
      </ul>
      <button class="cancel" name="cancel" value="yes">Cancel</button>
    </form>`,
  )
}

/** The page that asks whether to sign out; `form` is the one that confirms it, without buttons, and has this `formId`. */
export function renderLogout(form: string, formId: string): OpenIDPage {
  const target = escapeHtml(formId)
  return renderPage(
    "Sign out here too?",
    `<h1>Sign out here too?</h1>
    <p>You have left the application. Here you are still signed in.</p>
    ${form}
    <button form="${target}" name="logout" value="yes" autofocus>Sign out</button>
    <button class="cancel" form="${target}">Stay signed in</button>`,
  )
}

/** A page with nothing to do on it: why a sign-in cannot go on, say. */
export function renderNotice(heading: string, detail: string): OpenIDPage {
  return renderPage(heading, `<h1>${escapeHtml(heading)}</h1>\n    <p>${escapeHtml(detail)}</p>`)
}

/** Answers with a page. */
export function putPage(context: Context, { headers, html }: OpenIDPage): void {
  for (const [name, value] of Object.entries(headers)) context.set(name, value)
  context.body = html
}

function renderAccount(account: OpenIDAccount, hasFocus: boolean): string {
  const name = account.name ?? account.email ?? account.sub
  const picture = account.picture === undefined ? `<span class="picture"></span>` : renderPicture(account.picture)
  return `        <li><button name="account" value="${escapeHtml(account.sub)}"${hasFocus ? " autofocus" : ""}>
          ${picture}<span class="who"><b>${escapeHtml(name)}</b> <small>${escapeHtml(account.email ?? account.sub)}</small></span>
        </button></li>`
}

function renderPicture(address: string): string {
  return `<img class="picture" src="${escapeHtml(address)}" alt="" width="44" height="44">`
}

function renderPage(title: string, body: string): OpenIDPage {
  const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="icon" href="data:,">
  <title>${escapeHtml(title)} – local development provider</title>
  <style>${css}</style>
</head>
<body>
  <main>
    ${body}
  </main>
  <footer>Local development provider. Nobody real, and no password: never use it in production.</footer>
</body>
</html>
`
  return { html, headers: pageHeaders }
}

const css = `
:root { color-scheme: light dark; --ground: #f6f5f8; --card: #fff; --line: #dcd8e4; --text: #1d1a26; --soft: #5f5970; --accent: #6d28d9; --warn: #8a5a00; --warn-ground: #fff3d6 }
@media (prefers-color-scheme: dark) { :root { --ground: #131118; --card: #1d1a26; --line: #3a3548; --text: #f1eff6; --soft: #aaa3bb; --accent: #b794f6; --warn: #f5d28b; --warn-ground: #332710 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; align-content: center; justify-items: center; gap: 1rem; padding: 1.25rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 25rem; padding: 2rem 1.5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.2; letter-spacing: -.01em }
p { margin: .25rem 0 1.5rem; color: var(--soft) }
p:last-child { margin-bottom: 0 }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .6rem }
button { width: 100%; min-height: 2.75rem; display: flex; align-items: center; gap: .9rem; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: .75rem; background: transparent; color: inherit; font: inherit; text-align: start; cursor: pointer }
button:hover { border-color: var(--accent) }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.picture { flex: none; width: 2.75rem; height: 2.75rem; border-radius: 50%; background: var(--line); object-fit: cover }
.who { display: grid; min-width: 0 }
small { color: var(--soft); font-size: .875rem }
.cancel { margin-top: 1rem; justify-content: center; border-color: transparent; color: var(--soft) }
footer { width: 100%; max-width: 25rem; padding: .6rem .9rem; border-radius: .75rem; background: var(--warn-ground); color: var(--warn); font-size: .875rem; text-align: center }
`

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  // No form-action: Chromium applies it to redirects too, and this form ends at the application.
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(css).digest("base64")}'`,
    "img-src data: http: https:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
