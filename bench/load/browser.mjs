// @ts-check
// As much of a browser as signing in takes: connections that stay open, and cookies for one application.
import { Agent, request } from "node:http"

const timeoutMillis = 10_000

/**
 * @typedef {object} Question
 * @property {string} url
 * @property {string} [type] What the body is. With a body it is a POST.
 * @property {string} [body]
 */

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {string} location Absolute. Empty without one.
 * @property {readonly string[]} cookies Values of `Set-Cookie`.
 * @property {string} body
 */

/** @param {number} connections At most so many to each server. */
export function openConnections(connections) {
  return new Agent({ keepAlive: true, maxSockets: connections, timeout: timeoutMillis })
}

/**
 * A browser that has not been anywhere.
 *
 * @param {Agent} agent
 * @param {string} origin The application's, which gets the cookies that it has set, and no other.
 */
export function openBrowser(agent, origin) {
  /** @type {Map<string, string>} */
  const jar = new Map()
  const readCookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
  return {
    readCookies,
    /**
     * @param {Question} question
     * @returns {Promise<Answer>}
     */
    async visit(question) {
      const isAtHome = question.url.startsWith(`${origin}/`)
      const answer = await send(agent, question, isAtHome && jar.size > 0 ? { cookie: readCookies() } : {})
      if (isAtHome) for (const cookie of answer.cookies) keep(jar, cookie)
      return answer
    },
  }
}

/**
 * @param {Agent} agent
 * @param {Question} question
 * @param {Record<string, string>} headers
 * @returns {Promise<Answer>}
 */
function send(agent, { url, type, body }, headers) {
  const own = type ? { ...headers, "content-type": type, origin: new URL(url).origin } : headers
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method: type ? "POST" : "GET", headers: own }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk) => (text += chunk))
      response.on("error", reject)
      response.on("end", () => {
        const { location, "set-cookie": cookies = [] } = response.headers
        const target = location === undefined ? "" : new URL(location, url).href
        resolve({ status: response.statusCode ?? 0, location: target, cookies, body: text })
      })
    })
    asked.on("timeout", () => asked.destroy(new Error(`no answer from ${url} within ${timeoutMillis} ms`)))
    asked.on("error", reject)
    asked.end(body)
  })
}

/**
 * @param {Map<string, string>} jar
 * @param {string} setCookie
 */
function keep(jar, setCookie) {
  const [pair = "", ...attributes] = setCookie.split(";")
  const separator = pair.indexOf("=")
  const [name, value] = [pair.slice(0, separator), pair.slice(separator + 1)]
  if (attributes.some(isPast)) jar.delete(name)
  else jar.set(name, value)
}

/** @param {string} attribute */
function isPast(attribute) {
  const [name = "", value = ""] = attribute.trim().split("=")
  if (/^max-age$/i.test(name)) return Number(value) <= 0
  return /^expires$/i.test(name) && Date.parse(value) <= Date.now()
}
