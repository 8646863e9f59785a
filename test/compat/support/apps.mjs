/** The same small application twice: on `@auth/express`, and on Latchkey. */
import { CredentialsSignin } from "@auth/core/errors"
import Credentials from "@auth/core/providers/credentials"
import GitHub from "@auth/core/providers/github"
import { ExpressAuth as AuthJs, getSession } from "@auth/express"
import express from "express"
import { ExpressAuth, requireSession } from "latchkey"

export const secret = "a-secret-that-both-applications-know"

export class OutOfOrder extends CredentialsSignin {
  code = "out-of-order"
}

/** Ann knows the password; other passwords make `authorize` do other things. */
export function authorize({ username, password }) {
  switch (password) {
    case "correct":
      return { id: "42", name: "Ann", email: "ann@example.com", image: "https://pictures.example/ann.png" }
    case "numeric-id":
      return { id: 42, name: username }
    case "refused":
      throw new CredentialsSignin()
    case "out-of-order":
      throw new OutOfOrder()
    case "fault":
      throw new Error("the directory cannot be reached")
    default:
      return null
  }
}

/** Written for Auth.js, from the first line to the last; a new object each time, as Auth.js writes to it. */
export function configuration(overrides = {}) {
  return {
    secret,
    trustHost: true,
    providers: [
      Credentials({ credentials: { username: {}, password: { type: "password" } }, authorize }),
      GitHub({ clientId: "github-client", clientSecret: "github-secret" }),
    ],
    logger: silent,
    ...overrides,
  }
}

export const silent = { error() {}, warn() {}, debug() {} }

/** The application before the switch. */
export function authJsApp(config = configuration(), mount = "/auth") {
  const app = express()
  app.set("env", "test").set("trust proxy", true)
  app.use(mount, AuthJs(config))
  app.get("/me", async (req, res) => {
    res.json(await getSession(req, config))
  })
  return app
}

/** The application after the switch. */
export function latchkeyApp(config = configuration(), mount = "/auth") {
  const app = express()
  const auth = ExpressAuth(config)
  app.set("env", "test").set("trust proxy", true)
  app.use(mount, auth)
  app.use(auth.session)
  app.get("/me", (req, res) => {
    res.json(req.auth)
  })
  app.get(
    "/account",
    requireSession((req, res) => {
      res.send(`Hello ${req.auth.user.name}`)
    }),
  )
  return app
}

/** Both ways to switch. `from` and `to` make an application of a configuration. */
export const switches = [
  { title: "from Auth.js to Latchkey", from: authJsApp, to: latchkeyApp },
  { title: "from Latchkey back to Auth.js", from: latchkeyApp, to: authJsApp },
]
