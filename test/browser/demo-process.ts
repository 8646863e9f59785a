/** The demo as `npm start` runs it: a process of its own. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface DemoProcess {
  readonly origin: string
  /** Everything that it has printed. */
  readonly output: readonly string[]
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
}

/** Starts the demo, and waits until it says where it runs. */
export async function spawnDemo(port: number, database: string): Promise<DemoProcess> {
  const demo = spawn(process.execPath, ["--import", "tsx", "examples/demo/start.ts"], {
    env: { PATH: process.env.PATH, PORT: String(port), DEMO_DATABASE: database },
  })
  const output: string[] = []
  for (const stream of [demo.stdout, demo.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk.toString()))
  await Promise.race([once(demo.stdout, "data"), failedStart(demo, output)])
  return {
    origin: `http://localhost:${port}`,
    output,
    kill: async () => {
      demo.kill("SIGKILL")
      if (demo.exitCode === null && demo.signalCode === null) await once(demo, "exit")
    },
  }
}

async function failedStart(demo: ChildProcess, output: readonly string[]): Promise<never> {
  await once(demo, "exit")
  throw new Error(`The demo ended before it ran: ${output.join("")}`)
}

/** Runs `use` with the path of a database file in a folder that is gone afterwards. */
export async function withDatabaseFile(use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-demo-"))
  try {
    await use(join(folder, "demo.db"))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "localhost")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error(`Expected a TCP port, got ${address}`)
  return address.port
}
