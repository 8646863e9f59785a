/** Another process that runs one of the programs beside this file. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"

export interface ChildOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A module that is loaded first. */
  readonly preload?: string
}

const folder = "test/adapters/sql/children"

export function startChild(program: string, { args = [], env, preload }: ChildOptions = {}): ChildProcess {
  const modules = ["tsx", ...(preload === undefined ? [] : [`./${join(folder, preload)}`])]
  const flags = ["--no-warnings", ...modules.flatMap((module) => ["--import", module])]
  return spawn(process.execPath, [...flags, join(folder, program), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
}

/** What it wrote until it ended. @throws Error with what it complained about, when it failed. */
export async function runChild(program: string, options?: ChildOptions): Promise<string> {
  const child = startChild(program, options)
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, "exit")])
  if (child.exitCode !== 0) throw new Error(`${program} failed: ${stderr}`)
  return stdout
}

export async function textOf(stream: AsyncIterable<Buffer> | null): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
