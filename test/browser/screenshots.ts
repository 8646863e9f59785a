/**
 * Writes a picture of every page into test/browser/screenshots: light and dark, phone and desktop.
 * Run it with `npx tsx test/browser/screenshots.ts [part of a page's name]`.
 */
import { mkdir } from "node:fs/promises"
import { everyPage } from "./every-page.js"
import { startDemo } from "./running-demo.js"
import { launchBrowser, openVisitor } from "./visitor.js"

const folder = new URL("screenshots/", import.meta.url)
const wanted = process.argv[2] ?? ""

await mkdir(folder, { recursive: true })
const [browser, demo] = await Promise.all([launchBrowser(), startDemo()])
try {
  for (const [name, open] of Object.entries(everyPage).filter(([name]) => name.includes(wanted))) {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [360, 1280]) {
        const { context, page } = await openVisitor(browser, { colorScheme, viewport: { width, height: 800 } })
        await open(page, demo)
        await page.screenshot({ path: new URL(`${name}-${width}-${colorScheme}.png`, folder).pathname, fullPage: true })
        await context.close()
      }
    }
  }
} finally {
  await Promise.all([browser.close(), demo.close()])
}
