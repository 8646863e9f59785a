/** what a database complains of stays out of logs and answers as far as it is secret. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { AdapterSession } from "../../../../src/adapters/contract.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import type { MethodName } from "../../../support/stored-adapter.js"
import { openScenario, scenarios } from "../../../support/stored-scenarios.js"
import { forget } from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type Complaint = (method: string, given: readonly unknown[]) => unknown

const values = (given: readonly unknown[]) =>
  given.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : each))

/** How libraries report a statement that failed. */
const complaints: readonly (readonly [name: string, complain: Complaint])[] = [
  ["in the message", (method, given) => new Error(`Failed query: ${method}\nparams: ${values(given).join(",")}`)],
  [
    "beside the message",
    (method, given) => Object.assign(new Error(method), { query: "insert …", params: values(given) }),
  ],
  ["in the cause", (method, given) => new Error(method, { cause: new Error(JSON.stringify(given)) })],
  ["as a text", (method, given) => `${method} ${JSON.stringify(given)}`],
]

const methods: readonly (readonly [method: MethodName, scenario: string])[] = [
  ["linkAccount", "a sign-up"],
  ["createSession", "a sign-up"],
  ["createUserWithAccount", "a sign-up in one transaction"],
  ["getSessionAndUser", "a link"],
]

const rows = complaints.flatMap(([name, complain]) =>
  methods.map(([method, scenario]) => [`${method}, ${name}`, method, scenario, complain] as const),
)

interface Outcome {
  readonly logged: string
  readonly answered: string
  readonly secrets: readonly string[]
}

async function play(method: MethodName, name: string, complain: Complaint): Promise<Outcome> {
  const scenario = scenarios.find((each) => each.name === name) ?? scenarios[0]
  if (!scenario) throw new Error("there are no scenarios")
  const site = await openScenario(scenario)
  forget(site)
  const { stored, idps, browser, log } = site
  stored.faults.set(method, () => {
    const [, ...given] = stored.calls.at(-1) ?? []
    throw complain(method, given)
  })
  const response = await scenario.run(site)
  const page = await browser.follow(response)

  const location = response.headers.get("location") ?? ""
  const cookies = browser.jar.names().map((each) => browser.jar.get(each) ?? "")
  const tokens = stored.calls.flatMap(([each, given]) =>
    each === "createSession" ? [(given as AdapterSession).sessionToken] : [],
  )
  const secrets = [...idps.idp.secrets, ...idps.other.secrets, ...cookies, ...tokens].filter(({ length }) => length > 8)
  expect(secrets.length).toBeGreaterThan(3)
  return { logged: log.text(), answered: [location, await page.text()].join("\n"), secrets }
}

describe("a statement that failed, quoted with its values", () => {
  it.each(rows)("is told to no browser: %s", async (_, method, scenario, complain) => {
    const { answered, secrets } = await play(method, scenario, complain)

    for (const secret of secrets) expect(answered).not.toContain(secret)
  })

  it.each(rows)("gets into the log without them: %s", async (_, method, scenario, complain) => {
    const { logged, secrets } = await play(method, scenario, complain)

    for (const secret of secrets) expect(logged).not.toContain(secret)
  })
})
