/** `latchkey schema --check`: reads, compares, reports. */
import { exitCodes, type Ports } from "../command.js"
import type { SchemaChoices } from "../choices.js"
import { readAddress } from "./address.js"
import { compareSchema } from "./compare.js"
import { databaseFailure } from "./failures.js"
import { readFacts } from "./read.js"
import { recogniseOptions } from "./recognise.js"
import { reportJson, reportText } from "./report.js"

interface CheckCall {
  readonly url: string
  readonly choices: SchemaChoices
  readonly isJson: boolean
}

/**
 * @returns The exit code.
 * @throws CommandError for an address that is none, a driver that is missing, a database that cannot be read.
 */
export async function checkDatabase({ url, choices, isJson }: CheckCall, ports: Ports): Promise<number> {
  const address = readAddress(url, ports.folder)
  const facts = await readFacts(address, ports.folder).catch((thrown: unknown) => {
    throw databaseFailure(thrown)
  })
  const options = recogniseOptions(facts, choices)
  const findings = compareSchema(facts, options)
  const report = isJson ? reportJson : reportText
  ports.stdout(report(options, findings))
  return findings.some(({ severity }) => severity === "error") ? exitCodes.findings : exitCodes.ok
}
