/** The command line: finds the command that is meant, runs it, and tells how it ended. */
import { asError } from "../core/thrown.js"
import { CommandError, exitCodes, type Command, type Ports } from "./command.js"
import { escapeLines } from "./escape.js"
import { redactSecrets } from "./redact.js"
import { readVersion } from "./version.js"

interface Entry {
  readonly summary: string
  /** Loaded when it is called, so that no command pays for another. */
  readonly load: () => Promise<Command>
}

const commands: Readonly<Record<string, Entry>> = {
  schema: {
    summary: "Print the SQL that creates the tables, or check a live database",
    load: async () => (await import("./schema.js")).schemaCommand,
  },
}

/** @returns The exit code: 0 for success, 1 for findings, 2 for a wrong call or a failure. */
export async function runCommandLine(args: readonly string[], ports: Ports): Promise<number> {
  const [name, ...rest] = args
  if (name === "--help" || name === "-h" || name === "help") return print(ports, help())
  if (name === "--version" || name === "-v") return print(ports, readVersion())
  const entry = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!entry) {
    ports.stderr(`latchkey: ${name === undefined ? "no command given" : "no such command"}\n\n${help()}\n`)
    return exitCodes.failed
  }
  const command = await entry.load()
  try {
    return await command.run(rest, ports)
  } catch (thrown) {
    ports.stderr(escapeLines(redactSecrets(describeFailure(`latchkey ${name}`, command, thrown), rest, ports.env)))
    return exitCodes.failed
  }
}

function describeFailure(name: string, command: Command, thrown: unknown): string {
  const error = asError(thrown)
  if (!(error instanceof CommandError)) return `${name}: unexpected failure: ${error.message}\n`
  return `${name}: ${error.message}\n${error.isUsage ? `\n${command.usage}\n` : ""}`
}

function help(): string {
  const list = Object.entries(commands).map(([name, { summary }]) => `  ${name}   ${summary}`)
  return `Usage: latchkey <command> [options]

Commands:
${list.join("\n")}

Options:
  -h, --help      This text; after a command, what the command can do
  -v, --version   The version of Latchkey`
}

function print({ stdout }: Ports, text: string): number {
  stdout(`${text}\n`)
  return exitCodes.ok
}
