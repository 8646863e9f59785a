/** Where a {@link Visit} ended. */
export interface Landing {
  readonly url: URL
  readonly status: number
  readonly text: string
}

/** Goes to `address`, with a POST where there is a `form`, and follows redirects. */
export type Visit = (address: URL, form?: Readonly<Record<string, string>>) => Promise<Landing>

interface StoredCookie {
  readonly name: string
  readonly path: string
  readonly value: string
}

/** A browser that keeps cookies, each for its path, and stops short of the address `stopAt`. */
export function openBrowser(stopAt: string, send: typeof fetch = fetch): Visit {
  const cookies = new Map<string, StoredCookie>()

  return async function visit(url: URL, form?: Readonly<Record<string, string>>): Promise<Landing> {
    if (url.href.startsWith(stopAt)) return { url, text: "", status: 0 }
    const cookie = [...cookies.values()]
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
    const request = form ? { method: "POST", body: new URLSearchParams(form) } : {}
    const response = await send(url, {
      ...request,
      redirect: "manual",
      headers: { cookie: cookie.join("; "), accept: "text/html" },
    })
    for (const line of response.headers.getSetCookie()) {
      const stored = readCookie(line)
      cookies.set(`${stored.name} ${stored.path}`, stored)
    }
    const location = response.headers.get("location")
    if (location === null) return { url, text: await response.text(), status: response.status }
    return visit(new URL(location, url))
  }
}

function readCookie(line: string): StoredCookie {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  return { name, value, path: /;\s*path=([^;]+)/i.exec(line)?.[1] ?? "/" }
}
