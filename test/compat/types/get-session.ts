import GitHub from "@auth/core/providers/github"
import { ExpressAuth, getSession } from "auth-package"
import express, { type NextFunction, type Request, type Response } from "express"

const config = { providers: [GitHub], trustHost: true }
const app = express()
app.use("/auth", ExpressAuth(config))

export async function authenticated(req: Request, res: Response, next: NextFunction) {
  const session = res.locals.session ?? (await getSession(req, config))
  if (session?.user) next()
  else res.redirect("/auth/signin")
}

app.get("/", authenticated, async (req, res) => {
  const session = await getSession(req, config)
  res.send(`${session?.user?.name} ${session?.user?.email} until ${session?.expires}`)
})
