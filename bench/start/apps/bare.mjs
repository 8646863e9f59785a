import express from "express"

export const importPackages = async () => {}

export function build() {
  const app = express()
  app.get("/guarded", (req, res) => res.sendStatus(401))
  return app
}
