import express from "express"
import { serve } from "./serve.mjs"
import { user } from "../lib/user.mjs"

const app = express()
app.get("/guarded", (req, res) => res.json({ name: user.name }))

// Any cookie does; it is as long as those of the others are.
serve(app, async () => [`session=${"x".repeat(400)}`])
