/** What can happen to stored users and sessions, and how the calls under Latchkey differ from those under Auth.js. */
import { openBrowser } from "./browser.mjs"
import { oneDay } from "./stored-app.mjs"
import { bob } from "./two-vendors.mjs"

const isCall = (name) => (call) => call[0] === name
const isSession = ([name]) => name.endsWith("getSessionAndUser")

/** Puts calls in front of the first one with a name. */
function before(calls, name, more) {
  const at = calls.findIndex(isCall(name))
  return [...calls.slice(0, at), ...more, ...calls.slice(at)]
}

const eventAfterWrites = {
  because: "who is new is announced once both user and account are stored",
  calls(calls) {
    const event = calls.find(isCall("event createUser"))
    const others = calls.filter((call) => call !== event)
    return before(others, "event linkAccount", [event])
  },
}

const newSession = {
  only: "database",
  because: "each sign-in makes a new session, and deletes the one before",
  calls(calls) {
    const [, token] = calls.find(isSession)
    const [, { user }] = calls.find(isCall("event signIn"))
    const session = { expires: "{in 30 days}", sessionToken: "{new}", userId: user.id }
    return before(calls, "event signIn", [
      ["adapter createSession", session],
      ["adapter deleteSession", token],
    ])
  },
}

const deletesStale = {
  only: "database",
  because: "a session that the browser had is deleted, whatever became of it",
  calls: (calls) => before(calls, "event signIn", [["adapter deleteSession", calls.find(isSession)[1]]]),
}

const noSession = {
  only: "database",
  because: "an expired session is no session, so nothing is linked to it",
  calls(calls) {
    const at = calls.findIndex(isCall("adapter linkAccount"))
    return [...calls.slice(0, at), ["adapter getUserByEmail", "ann@example.com"]]
  },
  answer: (answer) => ({ ...answer, path: "/auth/signin?error=OAuthAccountNotLinked", session: [] }),
}

const withoutToken = {
  only: "database",
  because: "no script in a browser may read the session token",
  answer({ body: { sessionToken: _secret, ...body }, ...answer }) {
    return { ...answer, body }
  },
}

/** The session that a sign-in was started in links accounts only while the application's `jwt` callback says that it is one. */
const asksCallback = (claims) => ({
  only: "jwt",
  because: "the jwt callback is asked whether the session at hand has been ended",
  calls(calls) {
    const [, sub] = calls.find(isCall("adapter getUser"))
    const token = { ...claims, sub, iat: "{iat}", exp: "{exp}", jti: "{jti}" }
    return before(calls, "adapter getUser", [["callback jwt", { token }]])
  },
})
const asksForAnn = asksCallback({
  name: "Ann",
  email: "ann@example.com",
  picture: "https://pictures.example/ann.png",
})
const asksForBob = asksCallback({ name: "Bob", email: "bob@example.com" })

const notNew = {
  because: "whoever was a user is not announced as a new one",
  calls: (calls) => calls.filter((call) => call[0] !== "event createUser"),
}

const signedIn = ({ browser, vendors }) => vendors.signIn(browser, "google")
const signedInElsewhere = ({ site, vendors }) => vendors.signIn(openBrowser(site), "google")
const signInWithGoogle = ({ browser, vendors }) => vendors.signIn(browser, "google")
const signInWithGitHub = ({ browser, vendors }) => vendors.answer(browser, "github")
const readSession = ({ browser }) => browser.get("/auth/session")

/** Signed in, with sessions that expire at some time from now, in milliseconds. */
const expiring = (time) => async (app) => {
  await signedIn(app)
  await app.rows.expireAt(new Date(Date.now() + time))
}
const gone = async (app) => {
  await signedIn(app)
  await app.rows.removeSessions()
}
/** Latchkey lets a few seconds pass before it believes that a session of its own making is not in the store. */
const goneLongAgo = async (app) => {
  await gone(app)
  app.restart()
}
const bobIsSignedIn = async ({ browser, site, vendors }) => {
  await vendors.signIn(openBrowser(site), "github")
  await vendors.signIn(browser, "google", bob)
}
/** `given` is a CSRF token. */
const withToken = (prepare) => async (app) => {
  await prepare?.(app)
  return app.browser.csrfToken()
}
const signOut = ({ browser, given: csrfToken }) => browser.post("/auth/signout", { csrfToken })

/**
 * `prepare` is not looked at; `run` is, and has what `prepare` returned as `given`. `provider`: options of each provider.
 * `only`: the one strategy under which it can happen, or the difference is there. `calls` and `answer` make what
 * Auth.js does what Latchkey does.
 */
export const scenarios = [
  { title: "somebody new", run: signInWithGoogle, differs: [eventAfterWrites] },
  { title: "somebody known", prepare: signedInElsewhere, run: signInWithGoogle },
  { title: "signing in while signed in", prepare: signedIn, run: signInWithGoogle, differs: [newSession, asksForAnn] },
  { title: "linking a second vendor", prepare: signedIn, run: signInWithGitHub, differs: [newSession, asksForAnn] },
  { title: "an address that is taken", prepare: signedInElsewhere, run: signInWithGitHub },
  {
    title: "an address that is taken, and may be linked",
    prepare: signedInElsewhere,
    run: signInWithGitHub,
    provider: { allowDangerousEmailAccountLinking: true },
    differs: [notNew],
  },
  {
    title: "an account of somebody else",
    prepare: bobIsSignedIn,
    run: signInWithGitHub,
    differs: [asksForBob],
  },
  { title: "reading the session", prepare: signedIn, run: readSession, differs: [withoutToken] },
  {
    title: "reading the session in a route",
    prepare: signedIn,
    run: ({ browser }) => browser.get("/me"),
    differs: [withoutToken],
  },
  {
    title: "updating the session",
    prepare: withToken(signedIn),
    run: ({ browser, given: csrfToken }) => browser.post("/auth/session", { csrfToken, data: "blue" }),
    differs: [withoutToken],
  },
  {
    title: "reading a session that is to be prolonged",
    only: "database",
    prepare: expiring(oneDay),
    run: readSession,
    differs: [withoutToken],
  },
  { title: "reading a session that has expired", only: "database", prepare: expiring(-1000), run: readSession },
  { title: "reading a session that was deleted", only: "database", prepare: goneLongAgo, run: readSession },
  { title: "reading no session", run: readSession },
  {
    title: "signing in over a deleted session",
    prepare: gone,
    run: signInWithGoogle,
    differs: [deletesStale, asksForAnn],
  },
  {
    title: "signing in over an expired session",
    only: "database",
    prepare: expiring(-1000),
    run: signInWithGitHub,
    differs: [noSession],
  },
  { title: "signing out", prepare: withToken(signedIn), run: signOut },
  { title: "signing out of a deleted session", prepare: withToken(gone), run: signOut },
  { title: "signing out of no session", prepare: withToken(), run: signOut },
]
