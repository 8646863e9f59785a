import express, { type ErrorRequestHandler, type Express, type Response } from "express"
import { AuthError, CredentialsSignin, ExpressAuth, requireSession, type Provider, type Session } from "latchkey"
import type { Adapter } from "latchkey/adapters"
import Credentials from "latchkey/providers/credentials"
import GitHub from "latchkey/providers/github"
import Google from "latchkey/providers/google"
import { createPasswordCheck } from "./passwords.js"
import { people } from "./people.js"
import { accountPage, adminPage, contentSecurityPolicy, homePage, icon, problemPage } from "./pages.js"

declare module "latchkey" {
  interface User {
    role?: string
  }
}

export interface DemoOptions {
  /** Where the local OpenID provider runs, and how the demo proves itself to it. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Seals the cookies of a sign-in that is under way. */
  readonly secret: string
  /** Keeps users and sessions. */
  readonly adapter: Required<Adapter>
  /** `AUTH_GITHUB_ID`, `AUTH_GITHUB_SECRET`, `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET` add these two providers. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The whole demo: who you are at `/`, a page for the signed-in at `/account`, one for administrators at `/admin`. */
export function createDemo({ secret, adapter, env, ...local }: DemoOptions): Express {
  const app = express()
  const auth = ExpressAuth({
    secret,
    adapter,
    providers: [localProvider(local), ...vendorProviders(env), passwordProvider(adapter)],
    callbacks: {
      // Whatever is returned here may reach the browser, so it is picked, not passed on.
      session: ({ session: { expires }, user: { name, email, image } }) => ({
        user: { name, email, image, role: roleOf(email) },
        expires,
      }),
    },
  })

  app.get("/favicon.ico", (_req, res) => void res.type("svg").send(icon))
  app.use("/auth", auth)
  app.use(auth.session)

  app.get("/", (req, res) => sendPage(res, homePage(req.auth)))
  app.get(
    "/account",
    requireSession((req, res) => sendPage(res, accountPage(req.auth))),
  )
  app.get("/admin", requireSession({ where: isAdmin }), (req, res) => sendPage(res, adminPage(req.auth)))

  app.use((req, res) =>
    sendPage(res.status(404), problemPage(req.auth, "No such page", "There is nothing at this address.")),
  )
  app.use(showProblem)
  return app
}

function isAdmin(session: Session): boolean {
  return session.user?.role === "admin"
}

function localProvider({
  issuer,
  clientId,
  clientSecret,
}: Pick<DemoOptions, "issuer" | "clientId" | "clientSecret">): Provider {
  return {
    id: "local",
    name: "Local OpenID",
    type: "oidc",
    issuer,
    clientId,
    clientSecret,
    // This provider is ours, and its addresses are right: whoever has the same one is the same person.
    allowDangerousEmailAccountLinking: true,
  }
}

function passwordProvider(adapter: Required<Adapter>): Provider {
  const findPerson = createPasswordCheck()
  return Credentials({
    name: "Password",
    credentials: {
      username: { label: "Name", autocomplete: "username", required: true },
      password: { label: "Password", type: "password", autocomplete: "current-password", required: true },
    },
    async authorize({ username = "", password = "" }) {
      const person = await findPerson(username, password)
      if (!person) throw new CredentialsSignin()
      const { name, email, picture } = person
      const stored = await adapter.getUserByEmail(email)
      if (stored) return stored
      // The demo knows these addresses to be right, so that the local provider may be linked by them.
      return adapter.createUser({ id: person.username, name, email, image: picture, emailVerified: new Date() })
    },
  })
}

function vendorProviders(env: DemoOptions["env"]): Provider[] {
  const github = { clientId: env.AUTH_GITHUB_ID, clientSecret: env.AUTH_GITHUB_SECRET }
  const google = { clientId: env.AUTH_GOOGLE_ID, clientSecret: env.AUTH_GOOGLE_SECRET }
  return [...(github.clientId ? [GitHub(github)] : []), ...(google.clientId ? [Google(google)] : [])]
}

function roleOf(email: string): string {
  return people.find((person) => person.email === email)?.role ?? "user"
}

function sendPage(res: Response, html: string): void {
  res.set("content-security-policy", contentSecurityPolicy).set("cache-control", "no-store").send(html)
}

// Express recognises error middleware by its four parameters.
const showProblem: ErrorRequestHandler = (error: unknown, req, res, next) => {
  if (res.headersSent) return next(error)
  const reference = error instanceof AuthError ? error.correlationId : undefined
  // What Latchkey has given a reference, it has logged under it.
  if (!reference) console.error(error)
  const text = `The reason stands in the terminal${reference ? `, with the reference ${reference}` : ""}.`
  sendPage(res.status(500), problemPage(req.auth, "Something went wrong", text))
}
