/** Finds the database driver that the application has installed. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { asError } from "../../core/thrown.js"
import { CommandError } from "../command.js"

export interface Driver {
  /** What is imported: `mysql2/promise`. */
  readonly specifier: string
  /** What is installed: `mysql2`. */
  readonly name: string
  /** For which databases. */
  readonly purpose: string
}

/**
 * What the driver exports. It is looked up from the folder of the call, where applications have it, and then from here.
 * @throws CommandError that says how to install it.
 */
export async function loadDriver({ specifier, name, purpose }: Driver, folder: string): Promise<unknown> {
  const path = resolveFrom(join(folder, "package.json"), specifier) ?? resolveFrom(import.meta.url, specifier)
  if (path === undefined)
    throw new CommandError(
      `${purpose} is read through the package ${name}, which is not installed: npm install ${name}`,
    )
  try {
    const loaded = (await import(pathToFileURL(path).href)) as { readonly default?: unknown }
    return loaded.default ?? loaded
  } catch (thrown) {
    throw new CommandError(`the package ${name} is installed, but does not load: ${asError(thrown).message}`)
  }
}

function resolveFrom(place: string, specifier: string): string | undefined {
  try {
    return createRequire(place).resolve(specifier)
  } catch {
    // Not installed there. What else could be wrong shows when it is loaded.
    return undefined
  }
}
