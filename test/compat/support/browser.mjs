/** As much of a browser as signing in takes: it keeps the cookies of one site, and tells where it is sent to. */
import { once } from "node:events"
import { request } from "node:http"
import { text } from "node:stream/consumers"

/** @param headers Sent with every request. */
export function openBrowser(site, headers = {}) {
  const cookies = new Map()
  const sameSite = new Map()

  async function send(path, { method = "GET", headers: more, body } = {}) {
    const own = { ...headers, ...more, ...(cookies.size > 0 ? { cookie: cookieHeader(cookies) } : {}) }
    // Not `fetch`, which adds headers of its own.
    const sent = request(new URL(path, site.origin), { method, headers: own })
    sent.end(body)
    const [response] = await once(sent, "response")
    const written = (response.headers["set-cookie"] ?? []).map(parseSetCookie)
    for (const cookie of written) {
      keep(cookies, cookie)
      sameSite.set(cookie.name, cookie.attributes.samesite)
    }
    return describe(response, written, await text(response))
  }

  const browser = {
    /** Names and values, as they were sent by the server. */
    cookies,
    /** The `SameSite` attribute that each was last sent with. */
    sameSite,
    send,
    get: (path, more = {}) => send(path, { headers: more }),
    post: (path, fields, more = {}) =>
      send(path, {
        method: "POST",
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", ...more },
      }),
    /** Posts fields together with a CSRF token, which is asked for if need be. */
    async submit(path, fields = {}, more = {}) {
      return browser.post(path, { csrfToken: await browser.csrfToken(), ...fields }, more)
    },
    async csrfToken() {
      return (await browser.get("/auth/csrf")).json.csrfToken
    },
    async session() {
      return (await browser.get("/auth/session")).json
    },
    signIn: (password = "correct", fields = {}) =>
      browser.submit("/auth/callback/credentials", { username: "ann", password, ...fields }),
    /** Another browser that has the same cookies. */
    copy(elsewhere = site) {
      const twin = openBrowser(elsewhere, headers)
      for (const [name, value] of cookies) twin.cookies.set(name, value)
      return twin
    },
  }
  return browser
}

function describe({ statusCode: status, headers }, cookies, body) {
  const isJson = headers["content-type"]?.includes("json") && body !== ""
  return {
    status,
    location: headers.location,
    headers,
    cookies,
    text: body,
    json: isJson ? JSON.parse(body) : undefined,
  }
}

function cookieHeader(cookies) {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
}

/** RFC 6265, section 5.2. Values stay as they are on the wire. */
export function parseSetCookie(header) {
  const [pair, ...rest] = header.split(/; ?/)
  const separator = pair.indexOf("=")
  const attributes = Object.fromEntries(
    rest.map((attribute) => {
      const [name, value = true] = attribute.split("=", 2)
      return [name.toLowerCase(), value]
    }),
  )
  return { name: pair.slice(0, separator), value: pair.slice(separator + 1), attributes, header }
}

/** Whether a cookie that was sent tells the browser to forget it. */
export function isExpired({ attributes }) {
  if (attributes["max-age"] !== undefined) return Number(attributes["max-age"]) <= 0
  return attributes.expires !== undefined && Date.parse(attributes.expires) <= Date.now()
}

function keep(cookies, cookie) {
  if (isExpired(cookie)) cookies.delete(cookie.name)
  else cookies.set(cookie.name, cookie.value)
}
