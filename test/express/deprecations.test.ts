import { expect, it } from "@jest/globals"
import { openApp } from "../support/express-apps.js"
import { setUp } from "../support/express-setup.js"
import { expressVersions } from "../support/express-versions.js"

it.each(expressVersions)("no member of $version is read that warns of its deprecation", async ({ express }) => {
  const warnings: string[] = []
  const collect = (warning: unknown) => void warnings.push(String(warning))
  process.on("deprecation", collect)
  try {
    const browser = (await openApp(express, setUp().auth())).browser({ accept: "text/html" })
    await browser.signIn()
    await browser.get("/me")
  } finally {
    process.off("deprecation", collect)
  }

  expect(warnings).toEqual([])
})
