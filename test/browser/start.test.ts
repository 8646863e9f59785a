import { spawn } from "node:child_process"
import { createServer } from "node:net"
import { once } from "node:events"
import { expect, it } from "@jest/globals"

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "localhost")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error(`Expected a TCP port, got ${address}`)
  return address.port
}

it("npm start prints the address in one line, needs no settings, and answers there", async () => {
  const port = await findFreePort()
  const demo = spawn(process.execPath, ["--import", "tsx", "examples/demo/start.ts"], {
    env: { PATH: process.env.PATH, PORT: String(port) },
  })
  const output: string[] = []
  for (const stream of [demo.stdout, demo.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk.toString()))
  try {
    await once(demo.stdout, "data")
    const response = await fetch(`http://localhost:${port}/`)
    expect(await response.text()).toContain("You are not signed in")
    expect(output).toEqual([`The Latchkey demo runs at http://localhost:${port}\n`])
  } finally {
    demo.kill()
    await once(demo, "exit")
  }
})
