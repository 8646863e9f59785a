import { createHash } from "node:crypto"
import type { Session } from "latchkey"
import { people } from "./people.js"

type Visitor = Session | null

export function homePage(visitor: Visitor): string {
  return renderPage({
    title: "Latchkey demo",
    path: "/",
    visitor,
    body: visitor ? renderWelcome(visitor) : renderInvitation(),
  })
}

export function accountPage(session: Session): string {
  const facts = [
    ["Name", readName(session)],
    ["E-mail", session.user?.email ?? "unknown"],
    ["Role", readRole(session)],
    ["Signed in until", renderTime(session.expires)],
  ]
  return renderPage({
    title: "Your account",
    path: "/account",
    visitor: session,
    body: `<h1>Your account</h1>
    <p class="soft">Only signed-in people see this page. Everybody else is sent to sign in, and comes back here.</p>
    <dl>${facts.map(([term, value]) => `<div><dt>${term}</dt><dd>${escapeHtml(value ?? "")}</dd></div>`).join("")}</dl>`,
  })
}

export function adminPage(visitor: Visitor): string {
  const rows = people.map(
    ({ name, email, role }) => `<li><span>${name}<br><small>${email}</small></span>${renderBadge(role)}</li>`,
  )
  return renderPage({
    title: "Administration",
    path: "/admin",
    visitor,
    body: `<h1>Administration</h1>
    <p class="soft">Only administrators see this page. Anybody else who is signed in gets status 403.</p>
    <ul class="people">${rows.join("")}</ul>`,
  })
}

export function problemPage(visitor: Visitor, heading: string, text: string): string {
  const body = `<h1>${escapeHtml(heading)}</h1>
    <p class="soft">${escapeHtml(text)}</p>
    <p><a class="button" href="/">Go to the home page</a></p>`
  return renderPage({ title: heading, path: "", visitor, body })
}

function renderInvitation(): string {
  const cards = people.map(
    ({ username, password, role }) => `<li><code>${username}</code><code>${password}</code>${renderBadge(role)}</li>`,
  )
  return `<h1>You are not signed in</h1>
    <p class="soft">Sign in with the local OpenID provider, where you choose who to be, or with a name and a password.</p>
    <p><a class="button" href="/auth/signin?callbackUrl=%2F">Sign in</a></p>
    <h2>Names and passwords</h2>
    <ul class="people">${cards.join("")}</ul>`
}

function renderWelcome(session: Session): string {
  return `<div class="who">${renderPicture(session)}
      <div><h1>Hello, ${escapeHtml(readName(session))}</h1>
      <p class="soft">${escapeHtml(session.user?.email ?? "")} ${renderBadge(readRole(session))}</p></div>
    </div>
    <p class="row"><a class="button" href="/account">Your account</a> <a class="button plain" href="/admin">Administration</a></p>`
}

function renderPicture({ user }: Session): string {
  if (!user?.image) return ""
  return `<img src="${escapeHtml(user.image)}" alt="Picture of ${escapeHtml(user.name ?? "you")}" width="72" height="72" referrerpolicy="no-referrer">`
}

function renderBadge(role: string): string {
  return `<span class="badge">${escapeHtml(role)}</span>`
}

function renderTime(iso: string): string {
  return new Date(iso).toLocaleString("en", { dateStyle: "long", timeStyle: "short" })
}

function readName({ user }: Session): string {
  return user?.name ?? user?.email ?? "you"
}

function readRole({ user }: Session): string {
  return user?.role ?? "user"
}

interface Page {
  readonly title: string
  /** Path of the page; its link in the navigation is marked. */
  readonly path: string
  readonly visitor: Visitor
  /** HTML of the main part. */
  readonly body: string
}

function renderPage({ title, path, visitor, body }: Page): string {
  const links = [
    ["/", "Home"],
    ["/account", "Account"],
    ["/admin", "Admin"],
  ].map(([href, text]) => `<a href="${href}"${href === path ? ' aria-current="page"' : ""}>${text}</a>`)
  const door = visitor
    ? `<a class="door" href="/auth/signout?callbackUrl=%2F">Sign out</a>`
    : `<a class="door" href="/auth/signin?callbackUrl=%2F">Sign in</a>`
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)}</title>
  <style>${css}</style>
</head>
<body>
  <header>
    <span class="brand">Latchkey <span>demo</span></span>
    <nav aria-label="Pages">${links.join(" ")}</nav>
    ${path === "/" && !visitor ? "" : door}
  </header>
  <main>
    ${body}
  </main>
</body>
</html>
`
}

const css = `
:root { color-scheme: light dark; --ground: #f4f6f5; --card: #fff; --line: #d5dcd9; --text: #14201c; --soft: #55655f; --accent: #0b6e55; --on-accent: #fff; --tint: #e3f1ec }
@media (prefers-color-scheme: dark) { :root { --ground: #0e1412; --card: #17201d; --line: #2e3b36; --text: #eaf1ee; --soft: #9db0a9; --accent: #5fd0ae; --on-accent: #06231a; --tint: #1d332b } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
header { max-width: 46rem; margin: 0 auto; padding: 1rem 2rem; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem }
.brand { font-weight: 700; letter-spacing: -.01em }
.brand span { color: var(--soft); font-weight: 400 }
.door { margin-inline-end: -.6rem }
nav { display: flex; gap: .25rem; margin-inline-end: auto }
a { color: var(--accent) }
header a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 .6rem; border-radius: .5rem; color: var(--text); text-decoration: none }
header a:hover { text-decoration: underline }
header a[aria-current] { color: var(--accent); font-weight: 600 }
main { max-width: 46rem; margin: 0 auto 2rem; padding: 2.25rem 2rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card) }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em; text-wrap: balance }
h2 { margin: 2rem 0 .75rem; font-size: 1rem }
p { margin: .75rem 0 1.5rem; max-width: 38rem }
p:last-child { margin-bottom: 0 }
.soft, dt, small { color: var(--soft) }
.button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1.2rem; border: 1px solid var(--accent); border-radius: .6rem; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none }
.button:hover { filter: brightness(1.08) }
.button.plain { background: transparent; color: var(--accent) }
.row { display: flex; flex-wrap: wrap; gap: .75rem }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.who { display: flex; align-items: center; gap: 1.25rem; margin-bottom: 1.5rem }
.who img { flex: none; border-radius: 50%; object-fit: cover }
.who p { margin: .35rem 0 0 }
.badge { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; background: var(--tint); color: var(--accent); font-size: .875rem }
.people { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem }
.people li { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .6rem }
.people .badge { margin-inline-start: auto }
small { font-size: .875rem }
code { font: .95rem ui-monospace, monospace }
code:first-child { min-width: 4rem; font-weight: 700 }
dl { margin: 0 }
dl div { display: grid; grid-template-columns: 10rem 1fr; gap: .25rem 1rem; padding: .7rem 0; border-top: 1px solid var(--line) }
dd { margin: 0 }
@media (max-width: 48rem) { main { margin-inline: 1rem } }
@media (max-width: 30rem) {
  header { padding-inline: 1rem }
  nav { order: 3; width: 100%; margin-inline-start: -.6rem }
  .brand { margin-inline-end: auto }
  main { padding: 1.75rem 1.25rem }
  h1 { font-size: 1.5rem }
  dl div { grid-template-columns: 1fr }
}
`

/** Everything that a page of the demo may load: its own style, and pictures. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(css).digest("base64")}'`,
  "img-src 'self' data: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** The demo's icon, an SVG. */
export const icon =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6e55"/>` +
  `<g fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"><circle cx="11" cy="16" r="4"/><path d="M15 16h11v4m-5-4v3"/></g></svg>`

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
