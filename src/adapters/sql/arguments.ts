/** What an application gives to the adapters, checked before the first request. */

const optionNames = ["tables", "columns", "ids", "dates", "createTables", "dialect"]

const choices: Readonly<Record<string, readonly unknown[]>> = {
  ids: ["text", "uuid", "integer", undefined],
  dates: ["text", "milliseconds", "driver", undefined],
  dialect: ["sqlite", "postgres", "mysql", undefined],
  createTables: [true, false, undefined],
}

/** @throws TypeError for an option that there is not, or a value that it cannot have. */
export function checkOptions(options: object): void {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`there is no option ${unknown}: the options are ${optionNames.join(", ")}`)
  for (const [name, allowed] of Object.entries(choices)) {
    const value: unknown = Reflect.get(options, name)
    if (allowed.includes(value)) continue
    const names = allowed.filter((each) => each !== undefined).map((each) => JSON.stringify(each))
    throw new TypeError(`the option ${name} must be one of ${names.join(", ")}`)
  }
}

/** @throws TypeError that says what is wanted, when `value` has not got the method that tells it. */
export function requireMethod(value: unknown, method: string, wanted: string): void {
  const isHolder = (typeof value === "object" || typeof value === "function") && value !== null
  if (!isHolder || typeof Reflect.get(value, method) !== "function") throw new TypeError(wanted)
}
