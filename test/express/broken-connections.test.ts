/** Clients that go away, or send more than a header may hold. */
import { describe, expect, it } from "@jest/globals"
import { connect } from "node:net"
import { once } from "node:events"
import { catchErrors, createApp } from "../support/express-apps.js"
import { setUp } from "../support/express-setup.js"
import { openSite, type Site } from "../support/express-site.js"
import { expressVersions } from "../support/express-versions.js"

describe.each(expressVersions)("connections on $version", ({ express }) => {
  it("that break off in the middle of a body harm nobody else", async () => {
    const { auth } = setUp()
    const app = createApp(express, auth())
    const arrived = { count: 0 }
    const ended: Promise<unknown>[] = []
    const { middleware } = catchErrors()
    const outer = express()
    outer.use((_req, res, next) => {
      arrived.count += 1
      ended.push(once(res, "close"))
      next()
    })
    outer.use(app)
    outer.use(middleware)
    const site = await openSite(outer)

    for (const length of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
      await breakOff(
        site,
        `POST /auth/signout HTTP/1.1\r\nHost: a\r\n${length}\r\nContent-Type: application/json\r\n\r\n{`,
      )
    }
    expect(await site.ask("/auth/session")).toMatchObject({ status: 200, text: "null" })

    expect(arrived.count).toBe(3)
    await Promise.all(ended)
  })

  it("with a cookie header that is too large are answered by Node", async () => {
    const site = await openSite(createApp(express, setUp().auth()))

    const cookie = `authjs.session-token=${"x".repeat(20_000)}`

    expect((await site.ask("/auth/session", { headers: { cookie } })).status).toBe(431)
  })
})

/** Sends the beginning of a request, and closes the connection as soon as the server has seen it. */
async function breakOff({ port }: Site, beginning: string): Promise<void> {
  const socket = connect(port, "127.0.0.1")
  await once(socket, "connect")
  await new Promise<void>((resolve) => socket.write(beginning, () => resolve()))
  socket.destroy()
  await once(socket, "close")
}
