// Argument: issuer of the OpenID provider (default: that of one of its own).
import express from "express"
import { ExpressAuth, requireSession } from "../../dist/index.js"
import { signInOnce } from "../load/sign-in.mjs"
import { localProvider } from "./local-provider.mjs"
import { serve } from "./serve.mjs"

const secret = "a secret of the benchmark, 32+ characters"

const app = express()
app.use("/auth", ExpressAuth({ secret, trustHost: true, providers: [localProvider] }))
app.get("/guarded", requireSession(), (req, res) => res.json({ name: req.auth.user.name }))

serve(app, async (origin) => [await signInOnce(origin, "authJs")])
