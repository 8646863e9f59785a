/** Answers, reduced to what a client can see and rely on. */
import { configuration } from "./apps.mjs"
import { isExpired, openBrowser } from "./browser.mjs"
import { openSite } from "./site.mjs"

const thirtyDays = 30 * 24 * 60 * 60 * 1000

/** What a client can rely on in an answer. Ports, secrets, dates and references are replaced by their names. */
function gist({ status, location, headers, cookies, json: body }, { origin }) {
  const tidy = (text) => text?.replaceAll(origin, "{origin}").replaceAll(encodeURIComponent(origin), "{origin}")
  const named = JSON.stringify(body, (key, value) => nameOf(key, value))
  return {
    status,
    // Beside a JSON `url` the header says nothing new.
    location: body?.url === undefined ? addressOf(tidy(location)) : undefined,
    type: headers["content-type"]?.split(";")[0] || undefined,
    cookies: cookies.map(markOf).sort(),
    body: named === undefined ? undefined : JSON.parse(tidy(named)),
  }
}

function nameOf(key, value) {
  switch (key) {
    case "csrfToken":
      return /^[0-9a-f]{64}$/.test(value) ? "{token}" : value
    case "expires":
      return Math.abs(Date.parse(value) - Date.now() - thirtyDays) < 60_000 ? "{30 days}" : value
    case "reference":
      return /^[0-9a-f]+$/.test(value) ? "{reference}" : value
    case "url":
      return addressOf(value)
    default:
      return value
  }
}

/** GitHub's parameters have a test of their own. */
function addressOf(url) {
  return url?.startsWith("https://github.com/") ? url.split("?")[0] : url
}

/** A cookie that was set or removed. The names of those of one sign-in end in a hash. */
export function markOf(cookie) {
  return (isExpired(cookie) ? "-" : "+") + cookie.name.replace(/\.[0-9a-f]{16}$/, ".{flow}")
}

/** What `app` answers to a request. */
export async function answerOf(app, { config, before, send }, t, headers = {}) {
  const site = await openSite(t, app(configuration(config?.())))
  const browser = openBrowser(site)
  await before?.(browser)
  return gist(await send(browser, headers), site)
}

/** The members in which two answers differ: `[theirs, ours]`. */
export function differences(theirs, ours) {
  const fields = Object.keys(theirs).filter((field) => JSON.stringify(theirs[field]) !== JSON.stringify(ours[field]))
  return Object.fromEntries(fields.map((field) => [field, [theirs[field], ours[field]]]))
}
