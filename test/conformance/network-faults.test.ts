/** Providers that fail on the wire, over real connections to this machine. */
import { afterEach, describe, expect, it } from "@jest/globals"
import { gzipSync } from "node:zlib"
import { Browser, locationOf } from "../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../support/core-clock.js"
import { LocalServers } from "../support/local-server.js"
import {
  expectFailedCleanly,
  expectItWorksAgain,
  expectOthersWork,
  openWire as open,
  wireEndpoints as endpoints,
  type WireEndpoint as Endpoint,
  type WireFault,
} from "../support/wire-site.js"
import { attempt } from "../support/watched-site.js"

const servers = new LocalServers()
const openWire = (protocol?: string) => open(servers, protocol)

afterEach(async () => {
  releaseClock()
  await servers.close()
})

const json = { "content-type": "application/json" }

const hangs: WireFault = () => undefined

const stopsInTheBody: WireFault = (response, { body }) =>
  void response.writeHead(200, json).write(body.slice(0, body.length / 2))

const dribbles: WireFault = (response, { body }) => {
  response.writeHead(200, json)
  const bytes = body[Symbol.iterator]()
  const timer = setInterval(() => response.write(bytes.next().value ?? " "), 5)
  response.on("close", () => clearInterval(timer))
}

const hangsUp: WireFault = (response) => void response.socket?.destroy()

const hangsUpInTheBody: WireFault = (response, { body }) => {
  response.writeHead(200, { ...json, "content-length": body.length })
  response.write(body.slice(0, body.length / 2), () => response.socket?.destroy())
}

const busy: WireFault = (response) => void response.writeHead(503, json).end('{"error":"temporarily_unavailable"}')

describe("F-31: an issuer that cannot be reached", () => {
  it.each<[string, WireFault]>([
    ["never answers", hangs],
    ["never ends its answer", stopsInTheBody],
    ["answers byte by byte", dribbles],
  ])("is given up, and no other provider waits for it: one that %s", async (_, fault) => {
    const site = await openWire()
    site.faults.set("discovery", fault)

    const failed = site.hurried.submit("signin/idp")
    await expectOthersWork(site)

    await expectFailedCleanly(site, await failed)
    expect(site.log.text()).toContain("timed out")
  })

  it.each<[string, WireFault]>([
    ["hangs up", hangsUp],
    ["hangs up in its answer", hangsUpInTheBody],
    ["is busy", busy],
  ])("is asked again the next time, at once: one that %s", async (_, fault) => {
    const site = await openWire()
    site.faults.set("discovery", fault)

    await expectFailedCleanly(site, await attempt(site))
    expect(site.asked).toEqual(["discovery"])
    await expectOthersWork(site)
    await expectItWorksAgain(site)
  })

  it("one that refuses connections", async () => {
    const site = await openWire()
    servers.stopFirst()

    await expectFailedCleanly(site, await attempt(site))
    expect(site.log.text()).toContain("ECONNREFUSED")
    await expectOthersWork(site)
  })

  it("one that does not speak TLS", async () => {
    const site = await openWire("https:")

    await expectFailedCleanly(site, await attempt(site))
    expect(site.asked).toEqual([])
    await expectOthersWork(site)
  })

  it("one that never answers is asked once for all who wait", async () => {
    const site = await openWire()
    site.faults.set("discovery", hangs)

    await site.hurried.csrfToken()
    const all = await Promise.all([1, 2, 3].map(() => site.hurried.submit("signin/idp")))

    expect(all.map(({ status }) => status)).toEqual([302, 302, 302])
    expect(site.asked).toEqual(["discovery"])
  })

  it("is done without for a day, although every question hangs", async () => {
    freezeClock()
    const site = await openWire()
    await site.browser.start("idp")
    site.faults.set("discovery", hangs)
    advanceClock(23 * 3600)

    expect((await site.hurried.start("idp")).origin).toBe(site.idp.issuer)
    expect(site.asked).toEqual(["discovery", "discovery"])
  })
})

const bigHeaders = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, "x".repeat(1024)]))
const nested = (depth: number) => `${'{"x":'.repeat(depth)}1${"}".repeat(depth)}`

/** Each of them would do, were it not for its size. */
const bombs: Readonly<Record<string, WireFault>> = {
  "2 MB, in 2 KB of gzip": (response, { body }) =>
    response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(body + " ".repeat(2_000_000))),
  "thousands of encodings": (response, { body }) =>
    response.writeHead(200, { ...json, "content-encoding": Array(2000).fill("gzip").join() }).end(body),
  "100 KB of headers": (response, { body }) => response.writeHead(200, { ...json, ...bigHeaders }).end(body),
  "5 MB of nested JSON": (response, { body }) =>
    response.writeHead(200, json).end(`${body.slice(0, -1)},"nested":${nested(830_000)}}`),
}

describe("F-33: an answer that is too much", () => {
  const everywhere = endpoints.map((endpoint) => [endpoint, "2 MB, in 2 KB of gzip"] as const)
  const atToken = Object.keys(bombs).map((name) => ["token", name] as const)

  it.each([...everywhere, ...atToken.slice(1)])("is refused: %s sends %s", async (endpoint, name) => {
    const site = await openWire()
    site.faults.set(endpoint, bombs[name] as WireFault)

    await expectFailedCleanly(site, await attempt(site))
    expect(site.asked.filter((asked) => asked === endpoint)).toHaveLength(1)
  })

  it.each<Endpoint>(["discovery", "token"])("is cut off: %s sends 1 GB", async (endpoint) => {
    const site = await openWire()
    const chunk = Buffer.alloc(64 * 1024, " ")
    const sent = { bytes: 0 }
    const cut = new Promise((resolve) => {
      site.faults.set(endpoint, (response) => {
        const send = () => {
          while (!response.destroyed && response.write(chunk)) sent.bytes += chunk.length
        }
        response.writeHead(200, { ...json, "content-length": 1024 ** 3 })
        response.on("drain", send).on("close", resolve)
        send()
      })
    })

    await expectFailedCleanly(site, await attempt(site))
    await cut
    // What the operating system holds on both sides of the connection is a few megabytes.
    expect(sent.bytes).toBeLessThan(20_000_000)
  })
})

describe("F-34: a provider that takes its time", () => {
  it.each<[Endpoint, string, WireFault]>([
    ["token", "never answers", hangs],
    ["token", "never ends its answer", stopsInTheBody],
    ["token", "sends byte by byte", dribbles],
    ["jwks", "never answers", hangs],
    ["userinfo", "sends byte by byte", dribbles],
  ])("is waited for no longer than that: %s %s", async (endpoint, _, fault) => {
    const site = await openWire()
    const callback = site.idp.approve(await site.browser.start("idp"))
    const left = new Promise((resolve) => {
      site.faults.set(endpoint, (response, honest) => {
        response.on("close", resolve)
        fault(response, honest)
      })
    })

    const response = await site.hurried.get(callback.href)

    await expectFailedCleanly(site, response)
    expect(site.log.text()).toContain("timed out")
    expect(site.asked.filter((name) => name === "token")).toHaveLength(1)
    await left
    await expectOthersWork(site)
    await expectItWorksAgain(site)
  })
})

describe("F-35: a connection that breaks", () => {
  const breaks: readonly (readonly [string, WireFault])[] = [
    ["before the answer, on a connection that was kept alive", hangsUp],
    ["in the answer", hangsUpInTheBody],
    ["never, but the provider is busy", busy],
  ]
  const rows = endpoints.slice(1).flatMap((endpoint) => breaks.map(([name, fault]) => [endpoint, name, fault] as const))

  it.each(rows)("is not tried twice: %s, %s", async (endpoint, _, fault) => {
    const site = await openWire()
    const { answer, origin, basePath, jar } = site.browser
    const callback = site.idp.approve(await site.browser.start("idp"))
    const mindful = new Browser(answer, origin, basePath, jar.copy())
    site.faults.set(endpoint, fault)

    const response = await site.browser.get(callback.href)

    await expectFailedCleanly(site, response)
    expect(site.asked).toEqual(endpoints.slice(0, endpoints.indexOf(endpoint) + 1))

    // Neither a reload nor a browser that has kept the cookies uses the code again: both start anew.
    site.faults.clear()
    for (const browser of [site.browser, mindful]) {
      const again = await browser.get(callback.href)
      expect(new URL(locationOf(again)).origin).toBe(site.idp.issuer)
      expect(site.asked.filter((name) => name === "token")).toHaveLength(1)
    }

    await expectItWorksAgain(site)
  })
})

describe.each(endpoints)("F-36: a redirect from %s", (endpoint) => {
  it.each([302, 307])("is not followed, neither round nor inside: %i", async (status) => {
    const inside: string[] = []
    const internal = await servers.listen(({ url = "" }, response) => {
      inside.push(url)
      response.end()
    })
    for (const location of [`http://127.0.0.1:${internal}/latest/meta-data/`, `/${endpoint}`]) {
      const site = await openWire()
      site.faults.set(endpoint, (response) => response.writeHead(status, { location }).end())

      await expectFailedCleanly(site, await attempt(site))
      expect(site.asked.filter((name) => name === endpoint)).toHaveLength(1)
    }
    expect(inside).toEqual([])
  })
})
