/** A web site at one address, at which one application can take the place of another. */
import { once } from "node:events"
import { createServer } from "node:http"

/**
 * Serves `app`, at a port of the system's choice, until the test is over.
 * @param t The test, or anything with `after`.
 */
export async function openSite(t, app) {
  let current = app
  const server = createServer((req, res) => current(req, res))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    /** From now on another application answers at the same address. */
    deploy(next) {
      current = next
    },
  }
}
