import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core"

/** Somebody with a browser of their own, and what their browser complained about. */
export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors (violations of a Content-Security-Policy among them) and uncaught exceptions. */
  readonly complaints: readonly string[]
  /** Addresses asked for that are not on this machine. */
  readonly foreignRequests: readonly string[]
}

/** Chromium of the system, or the one at `CHROMIUM_PATH`. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium"
  return chromium.launch({ executablePath, args: ["--no-sandbox"] })
}

/** Opens a browser profile without any cookies, and one tab in it. */
export async function openVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(10_000)
  const watched = watch(context)
  return { context, page: await context.newPage(), ...watched }
}

function watch(context: BrowserContext): Pick<Visitor, "complaints" | "foreignRequests"> {
  const complaints: string[] = []
  const foreignRequests: string[] = []
  const documents = new Set<string>()

  context.on("request", (request) => {
    if (request.isNavigationRequest()) documents.add(request.url())
    if (!isLocal(request.url())) foreignRequests.push(request.url())
  })
  context.on("weberror", (error) => complaints.push(String(error.error())))
  context.on("console", (message) => {
    // Chromium also reports the status of the page itself, which the tests look at one by one.
    const isPageStatus = message.text().startsWith("Failed to load resource") && documents.has(message.location().url)
    if (message.type() === "error" && !isPageStatus) complaints.push(`${message.location().url}: ${message.text()}`)
  })
  return { complaints, foreignRequests }
}

function isLocal(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === "data:" || hostname === "localhost" || hostname === "127.0.0.1"
}
