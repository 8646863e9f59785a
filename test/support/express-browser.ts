/** A browser as far as sign-ins need one: it keeps cookies, fills in forms, and follows redirects when told to. */
import type { OutgoingHttpHeaders } from "node:http"
import type { Ask, Reply, Site } from "./express-site.js"

export type Form = Readonly<Record<string, string>>

export interface Browser {
  /** Cookies by name, as they would be sent. */
  readonly cookies: Map<string, string>
  ask(path: string, ask?: Ask): Promise<Reply>
  get(path: string, headers?: OutgoingHttpHeaders): Promise<Reply>
  post(path: string, form: Form | URLSearchParams, headers?: OutgoingHttpHeaders): Promise<Reply>
  postJson(path: string, body: unknown, headers?: OutgoingHttpHeaders): Promise<Reply>
  /** The token of `GET {base}/csrf`. */
  csrf(base?: string): Promise<string>
  /** Signs in with the credentials provider, as `username`. */
  signIn(options?: {
    readonly base?: string
    readonly username?: string
    readonly callbackUrl?: string
  }): Promise<Reply>
  signOut(base?: string): Promise<Reply>
}

export function createBrowser(site: Pick<Site, "ask">, headers: OutgoingHttpHeaders = {}): Browser {
  const cookies = new Map<string, string>()

  async function ask(path: string, { headers: own = {}, ...rest }: Ask = {}): Promise<Reply> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const reply = await site.ask(path, {
      ...rest,
      headers: { ...(cookie === "" ? {} : { cookie }), ...headers, ...own },
    })
    reply.setCookies.forEach((line) => keep(cookies, line))
    return reply
  }

  const post: Browser["post"] = (path, form, own) => {
    const body = new URLSearchParams(form).toString()
    return ask(path, { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded", ...own } })
  }

  const csrf: Browser["csrf"] = async (base = "/auth") => {
    const { json } = await ask(`${base}/csrf`)
    return (json as { csrfToken: string }).csrfToken
  }

  return {
    cookies,
    ask,
    get: (path, own) => ask(path, { headers: own }),
    post,
    postJson: (path, body, own) =>
      ask(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...own },
      }),
    csrf,
    async signIn({ base = "/auth", username = "ada", callbackUrl } = {}) {
      const csrfToken = await csrf(base)
      return post(`${base}/callback/credentials`, { csrfToken, username, ...(callbackUrl ? { callbackUrl } : {}) })
    },
    async signOut(base = "/auth") {
      return post(`${base}/signout`, { csrfToken: await csrf(base) })
    },
  }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(/;\s*/)
  const name = pair.slice(0, pair.indexOf("="))
  // What a real browser refuses to keep (RFC 6265bis, section 4.1.3).
  if (/^__(?:Secure|Host)-/.test(name) && !attributes.includes("Secure")) throw new Error(`${name} is not Secure`)
  if (attributes.includes("Max-Age=0")) cookies.delete(name)
  else cookies.set(name, pair.slice(name.length + 1))
}
