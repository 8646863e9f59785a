/** The table of the differential test in `requests.test.mjs`. */
import { CredentialsSignin } from "@auth/core/errors"
import {
  callbacks,
  get,
  no,
  ownPages,
  post,
  signedIn,
  signIn,
  submit,
  submitJson,
  using,
  withBrokenSession,
} from "./requests.mjs"

const problem = "There was a problem with the server configuration. Check the server logs for more information."

const noted = { cookies: [[], ["+authjs.error"]] }
const kept = { cookies: [[], ["+authjs.callback-url", "+authjs.csrf-token"]] }
const notedAndKept = { cookies: [[], ["+authjs.callback-url", "+authjs.csrf-token", "+authjs.error"]] }
const note = "an error leaves its reference for the built-in error page"
const keep = "an error drops none of the cookies that other answers set"

/**
 * Requests that both packages answer alike, but for what stands in `differs`: `[theirs, ours]` for each member of the
 * answer, and why in `because`.
 */
export const table = [
  {
    group: "Reading",
    requests: [
      { title: "the providers", send: get("/auth/providers") },
      { title: "the CSRF token", send: get("/auth/csrf") },
      { title: "the CSRF token once more", before: (browser) => browser.get("/auth/csrf"), send: get("/auth/csrf") },
      { title: "the session, signed out", send: get("/auth/session") },
      { title: "the session, signed in", before: signedIn, send: get("/auth/session") },
      { title: "a session that cannot be opened", before: withBrokenSession, send: get("/auth/session") },
      { title: "with slashes at the end", send: get("/auth/session///") },
      {
        title: "a session that the jwt callback ends",
        before: signedIn,
        config: callbacks({ jwt: ({ token, user }) => (user ? token : null) }),
        send: get("/auth/session"),
      },
      ...[
        ["jwt", ({ token, user }) => (user ? token : no())],
        ["session", no],
      ].map(([name, callback]) => ({
        title: `a session whose ${name} callback throws`,
        before: signedIn,
        config: callbacks({ [name]: callback }),
        send: get("/auth/session"),
        differs: {
          status: [200, 500],
          type: ["application/json", "application/problem+json"],
          cookies: [["-authjs.session-token"], []],
          body: [
            null,
            { title: "Configuration", status: 500, error: "Configuration", message: problem, reference: "{reference}" },
          ],
        },
        because: "a fault of the server signs nobody out",
      })),
    ],
  },
  {
    group: "Pages",
    requests: [
      { title: "sign-in", send: get("/auth/signin") },
      { title: "sign-in after a failure", send: get("/auth/signin?error=CredentialsSignin&callbackUrl=/x") },
      { title: "sign-in with no provider in words", send: get("/auth/signin/undefined") },
      { title: "sign-out", send: get("/auth/signout") },
      { title: "verify-request", send: get("/auth/verify-request") },
      ...["", "?error=Configuration", "?error=AccessDenied", "?error=Verification", "?error=Other"].map((query) => ({
        title: `error${query}`,
        send: get(`/auth/error${query}`),
      })),
    ],
  },
  {
    group: "Pages of the application's own",
    config: ownPages,
    because: "addresses are absolute, as the browser clients cannot parse others",
    requests: [
      {
        title: "sign-in",
        send: get("/auth/signin?callbackUrl=/x&error=E"),
        differs: {
          location: ["/login?callbackUrl={origin}%2Fx&error=E", "{origin}/login?callbackUrl={origin}%2Fx&error=E"],
        },
      },
      {
        title: "sign-out",
        send: get("/auth/signout?a=b"),
        differs: { location: ["/logout", "{origin}/logout"] },
      },
      {
        title: "verify-request",
        send: get("/auth/verify-request?a=b"),
        differs: { location: ["/mail?a=b", "{origin}/mail?a=b"] },
      },
      {
        title: "error",
        send: get("/auth/error?error=AccessDenied"),
        differs: { location: ["/oops?error=AccessDenied", "{origin}/oops?error=AccessDenied"] },
      },
      {
        title: "error without a code",
        send: get("/auth/error"),
        differs: { location: ["/oops?error=undefined", "{origin}/oops?error=Default"] },
        because: "there is no error of the name undefined",
      },
      { title: "after a wrong password", send: signIn("wrong") },
      { title: "after a fault", send: signIn("fault") },
      { title: "after POST signin", send: submit("/auth/signin") },
      {
        title: "with a query, after a fault",
        config: () => ({ pages: { error: "/oops?a=b" } }),
        send: signIn("fault"),
        differs: { location: ["{origin}/oops?a=b?error=Configuration", "{origin}/oops?a=b&error=Configuration"] },
        because: "a query has one question mark",
      },
    ],
  },
  {
    group: "Credentials",
    requests: [
      {
        title: "without a CSRF token",
        send: post("/auth/callback/credentials", {}),
        differs: kept,
        because: keep,
      },
      {
        title: "with a CSRF token of nobody's",
        send: signIn("correct", { csrfToken: "0".repeat(64) }),
      },
      { title: "right", send: signIn("correct") },
      {
        title: "right, as JSON",
        send: submitJson("/auth/callback/credentials", { username: "ann", password: "correct" }),
      },
      { title: "of a user with a number for an id", send: signIn("numeric-id") },
      { title: "wrong", send: signIn("wrong") },
      { title: "refused by CredentialsSignin", send: signIn("refused") },
      { title: "refused with a code", send: signIn("out-of-order") },
      { title: "that cannot be checked", send: signIn("fault"), differs: noted, because: note },
      { title: "right, to a path", send: signIn("correct", { callbackUrl: "/cart?a=b#c" }) },
      { title: "right, to nowhere", send: signIn("correct", { callbackUrl: "" }) },
      { title: "right, to another site", send: signIn("correct", { callbackUrl: "https://evil.example/x" }) },
      { title: "right, to a script", send: signIn("correct", { callbackUrl: "javascript:alert(1)" }) },
      {
        title: "right, to a path that a browser takes for a host",
        send: signIn("correct", { callbackUrl: "//evil.example" }),
        differs: {
          location: ["{origin}//evil.example", "{origin}"],
          cookies: [["+authjs.callback-url", "+authjs.session-token"], ["+authjs.session-token"]],
        },
        because: "whatever resolves to another site is one",
      },
      {
        title: "right, to a word",
        send: signIn("correct", { callbackUrl: "cart" }),
        differs: {
          location: ["{origin}/auth/error?error=Configuration", "{origin}"],
          cookies: [[], ["+authjs.session-token"]],
        },
        because: "a bad callback URL is ignored, and keeps nobody from signing in",
      },
      {
        title: "without a form to be seen",
        send: (browser, headers) =>
          browser.send("/auth/callback/credentials", {
            method: "POST",
            body: "x",
            headers: { ...headers, "content-type": "text/plain" },
          }),
        differs: kept,
        because: keep,
      },
      {
        title: "in a multipart form",
        send: async (browser, headers) => {
          const fields = { csrfToken: await browser.csrfToken(), username: "ann", password: "correct" }
          const parts = Object.entries(fields).map(
            ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
          )
          return browser.send("/auth/callback/credentials", {
            method: "POST",
            headers: { ...headers, "content-type": "multipart/form-data; boundary=x" },
            body: `${parts.join("")}--x--\r\n`,
          })
        },
        differs: {
          location: ["{origin}/auth/signin?error=MissingCSRF", "{origin}"],
          cookies: [[], ["+authjs.session-token"]],
        },
        because: "FormData is what scripts send",
      },
      {
        title: "in JSON that is none",
        send: (browser) =>
          browser.send("/auth/callback/credentials", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: "{",
          }),
        differs: {
          type: ["text/html", "application/problem+json"],
          body: [undefined, { title: "Bad request", status: 400, detail: "the request body is not JSON" }],
        },
        because: "who sends JSON gets JSON",
      },
      {
        title: "by GET",
        send: get("/auth/callback/credentials"),
        differs: {
          ...kept,
          status: [302, 405],
          location: ["{origin}/auth/error?error=Configuration", undefined],
        },
        because: "a wrong method is no fault of the configuration",
      },
    ],
  },
  {
    group: "Callbacks of the application",
    requests: [
      {
        title: "signIn: no",
        config: callbacks({ signIn: () => false }),
        send: signIn("correct"),
        differs: noted,
        because: note,
      },
      { title: "signIn: elsewhere", config: callbacks({ signIn: () => "/not-yet" }), send: signIn("correct") },
      {
        title: "signIn: another site",
        config: callbacks({ signIn: () => "https://other.example/join" }),
        send: signIn("correct"),
      },
      {
        title: "signIn: throws",
        config: callbacks({ signIn: no }),
        send: signIn("correct"),
        differs: noted,
        because: note,
      },
      {
        title: "signIn: throws an error of Auth.js",
        config: callbacks({
          signIn() {
            throw new CredentialsSignin()
          },
        }),
        send: signIn("correct"),
      },
      { title: "jwt: null", config: callbacks({ jwt: () => null }), send: signIn("correct") },
      { title: "jwt: throws", config: callbacks({ jwt: no }), send: signIn("correct"), differs: noted, because: note },
      {
        title: "redirect: another site",
        config: callbacks({ redirect: ({ url }) => url }),
        send: signIn("correct", { callbackUrl: "https://other.example/x" }),
      },
      {
        title: "redirect: throws",
        config: callbacks({ redirect: ({ url }) => (url.endsWith("/x") ? no() : url) }),
        send: signIn("correct", { callbackUrl: "/x" }),
        differs: noted,
        because: note,
      },
    ],
  },
  {
    group: "Signing in with a provider",
    requests: [
      { title: "without a CSRF token", send: post("/auth/signin/github", {}), differs: kept, because: keep },
      {
        title: "with a CSRF token of nobody's",
        send: submit("/auth/signin/github", { csrfToken: "0".repeat(64) }),
      },
      {
        title: "GitHub",
        send: submit("/auth/signin/github", { callbackUrl: "/x" }),
        differs: {
          cookies: [
            ["+authjs.callback-url", "+authjs.pkce.code_verifier"],
            ["+authjs.callback-url", "+authjs.pkce.code_verifier.{flow}", "+authjs.state.{flow}"],
          ],
        },
        because: "state always applies, and each tab has cookies of its own",
      },
      {
        title: "GitHub, by following a link",
        send: get("/auth/signin/github"),
        differs: {
          ...kept,
          location: ["{origin}/auth/error?error=Configuration", "{origin}/auth/signin?callbackUrl={origin}"],
        },
        because: "whoever follows a link gets the page that has the form",
      },
      { title: "an unknown one", send: submit("/auth/signin/unknown"), differs: noted, because: note },
      { title: "an unknown one, by a link", send: get("/auth/signin/unknown"), differs: noted, because: note },
      { title: "none", send: submit("/auth/signin") },
      { title: "credentials, which have a form", send: submit("/auth/signin/credentials") },
      { title: "coming back to none", send: get("/auth/callback"), differs: notedAndKept, because: note },
      { title: "coming back to none, by POST", send: submit("/auth/callback"), differs: noted, because: note },
      { title: "coming back to an unknown one", send: get("/auth/callback/unknown"), differs: noted, because: note },
      {
        title: "coming back to an unknown one, by POST",
        send: submit("/auth/callback/unknown"),
        differs: noted,
        because: note,
      },
      { title: "coming back with nothing", send: get("/auth/callback/github"), differs: notedAndKept, because: note },
      {
        title: "coming back from nowhere",
        send: get("/auth/callback/github?code=c&state=s"),
        differs: notedAndKept,
        because: note,
      },
      {
        title: "coming back from nowhere with an error",
        send: get("/auth/callback/github?error=access_denied"),
        differs: {
          ...notedAndKept,
          location: ["{origin}/auth/signin?error=OAuthCallbackError", "{origin}/auth/error?error=Configuration"],
        },
        because: "state always applies, to errors too",
      },
    ],
  },
  {
    group: "Signing out",
    requests: [
      {
        title: "without a CSRF token",
        before: signedIn,
        send: post("/auth/signout", {}),
      },
      { title: "to the start", before: signedIn, send: submit("/auth/signout") },
      { title: "to a path", before: signedIn, send: submit("/auth/signout", { callbackUrl: "/bye" }) },
      {
        title: "to another site",
        before: signedIn,
        send: submit("/auth/signout", { callbackUrl: "https://evil.example/" }),
      },
      { title: "signed out already", send: submit("/auth/signout", { callbackUrl: "/bye" }) },
      { title: "of a session that cannot be opened", before: withBrokenSession, send: submit("/auth/signout") },
    ],
  },
  {
    group: "Updating the session",
    requests: [
      { title: "without a CSRF token", before: signedIn, send: post("/auth/session", { data: "x" }) },
      {
        title: "with a CSRF token of nobody's",
        before: signedIn,
        send: submitJson("/auth/session", { csrfToken: "0".repeat(64), data: {} }),
      },
      { title: "with data", before: signedIn, send: submitJson("/auth/session", { data: { name: "Anna" } }) },
      { title: "with a form", before: signedIn, send: submit("/auth/session", { data: "Anna" }) },
      { title: "signed out", send: submitJson("/auth/session", { data: { name: "Anna" } }) },
      {
        title: "which the jwt callback ends",
        before: signedIn,
        config: callbacks({ jwt: ({ token, trigger }) => (trigger === "update" ? null : token) }),
        send: submitJson("/auth/session", { data: {} }),
      },
      {
        title: "which the jwt callback cannot",
        before: signedIn,
        config: callbacks({ jwt: ({ token, trigger }) => (trigger === "update" ? no() : token) }),
        send: submitJson("/auth/session", { data: {} }),
        differs: {
          status: [200, 500],
          type: ["application/json", "application/problem+json"],
          cookies: [["-authjs.session-token"], []],
          body: [
            null,
            { title: "Configuration", status: 500, error: "Configuration", message: problem, reference: "{reference}" },
          ],
        },
        because: "a fault of the server signs nobody out",
      },
    ],
  },
  {
    group: "A callback URL that is none",
    because: "what one request brought along does not make the configuration wrong",
    requests: [
      {
        title: "in the query of a page",
        send: get("/auth/signin?callbackUrl=javascript:alert(1)"),
        differs: { ...kept, status: [500, 200] },
      },
      {
        title: "in the query of the session",
        send: get("/auth/session?callbackUrl=javascript:alert(1)"),
        differs: { ...kept, status: [500, 200], body: [{ message: problem }, null] },
      },
      {
        title: "in the cookie",
        before: (browser) => browser.cookies.set("authjs.callback-url", "app%3A%2F%2Fhome"),
        send: get("/auth/session"),
        differs: { ...kept, status: [500, 200], body: [{ message: problem }, null] },
      },
    ],
  },
  {
    group: "A method that an action does not know",
    because: "HEAD is GET without a body, and others are refused with what is allowed",
    requests: [
      ...["providers", "csrf", "verify-request", "error", "webauthn-options"].map((action) => ({
        title: `POST ${action}`,
        send: submit(`/auth/${action}`),
        differs: { status: [302, 405], location: ["{origin}/auth/error?error=Configuration", undefined] },
      })),
      { title: "HEAD session", send: using("HEAD", "/auth/session"), differs: { ...kept, status: [400, 200] } },
      {
        title: "HEAD signin",
        send: using("HEAD", "/auth/signin"),
        differs: { ...kept, status: [400, 200], type: ["application/json", "text/html"] },
      },
      ...["HEAD /auth/callback/github", "OPTIONS /auth/session", "PUT /auth/signin", "DELETE /auth/csrf"].map(
        (title) => ({
          title,
          send: using(...title.split(" ")),
          differs: {
            status: [400, 405],
            type: ["application/json", undefined],
            ...(title.startsWith("HEAD") ? {} : { body: ["Bad request.", undefined] }),
          },
        }),
      ),
    ],
  },
  {
    group: "A path that is no action",
    because: "what is not ours is left to the application",
    requests: ["/auth", "/auth/", "/auth/foo", "/auth/sessionx", "/auth/session/x", "/auth/signin/github/x"].map(
      (path) => ({
        title: path,
        send: get(path),
        differs: { status: [400, 404], type: ["application/json", "text/html"], body: ["Bad request.", undefined] },
      }),
    ),
  },
  {
    group: "Passkeys",
    because: "there are none in this version",
    requests: [
      {
        title: "options",
        send: get("/auth/webauthn-options/passkey"),
        differs: { status: [302, 404], location: ["{origin}/auth/error?error=Configuration", undefined] },
      },
    ],
  },
  {
    group: "A configuration",
    requests: [
      { title: "without a secret: session", config: () => ({ secret: "" }), send: get("/auth/session") },
      { title: "without a secret: page", config: () => ({ secret: "" }), send: get("/auth/signin") },
      { title: "without a secret: POST", config: () => ({ secret: "" }), send: post("/auth/signin", {}) },
      {
        title: "without a secret: a page of the application's own",
        config: () => ({ secret: "", pages: { error: "/oops" } }),
        send: get("/auth/signin"),
        // Auth.js redirects here even where it was asked not to.
        returned: false,
      },
      {
        title: "without authorize",
        config: () => ({ providers: [{ id: "c", name: "C", type: "credentials" }] }),
        send: get("/auth/session"),
      },
      {
        title: "without endpoints",
        config: () => ({ providers: [{ id: "c", name: "C", type: "oauth", authorization: "https://c.example/" }] }),
        send: get("/auth/session"),
      },
    ],
  },
]
