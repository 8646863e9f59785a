/** Small applications, each with what one kind of test needs. */
import type { ErrorRequestHandler, Express } from "express"
import type { AuthMiddleware } from "../../src/express/express-auth.js"
import type { ExpressVersion } from "./express-versions.js"
import { openSite, type Site } from "./express-site.js"

/** Below `/auth` the middleware, and at `/me` the session as the application sees it. */
export function createApp(express: ExpressVersion["express"], auth: AuthMiddleware): Express {
  const app = express()
  app.use("/auth", auth)
  app.get("/me", auth.session, (req, res) => void res.json(req.auth))
  return app
}

export function openApp(express: ExpressVersion["express"], auth: AuthMiddleware): Promise<Site> {
  return openSite(createApp(express, auth))
}

/** Error middleware that answers with 500, and a list of what reached it. */
export function catchErrors(): { readonly caught: unknown[]; readonly middleware: ErrorRequestHandler } {
  const caught: unknown[] = []
  const middleware: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    caught.push(error)
    if (res.headersSent) return next(error)
    res.status(500).json({ caught: true })
  }
  return { caught, middleware }
}
