/** Requests, as values: each takes a browser, sends itself, and gives the answer. */

export const signedIn = (browser) => browser.signIn()
export const withBrokenSession = (browser) => browser.cookies.set("authjs.session-token", "broken")

export const get = (path) => (browser, headers) => browser.get(path, headers)
export const post = (path, fields) => (browser, headers) => browser.post(path, fields, headers)
export const submit = (path, fields) => (browser, headers) => browser.submit(path, fields, headers)
export const using = (method, path) => (browser) => browser.send(path, { method })
export const submitJson = (path, fields) => async (browser) =>
  browser.send(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken: await browser.csrfToken(), ...fields }),
  })
export const signIn = (password, more) => submit("/auth/callback/credentials", { username: "ann", password, ...more })

export const callbacks = (own) => () => ({ callbacks: own })
export const ownPages = () => ({
  pages: { signIn: "/login", signOut: "/logout", error: "/oops", verifyRequest: "/mail" },
})
export function no() {
  throw new Error("no")
}
