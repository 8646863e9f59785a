/** The address of the database to check: what follows `--check`. */
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { CommandError, usageError } from "../command.js"

export type Address =
  | { readonly dialect: "sqlite"; readonly path: string }
  | { readonly dialect: "postgres" | "mysql"; readonly url: string }

const servers: Readonly<Record<string, "postgres" | "mysql">> = {
  "postgres:": "postgres",
  "postgresql:": "postgres",
  "mysql:": "mysql",
  "mariadb:": "mysql",
}

/**
 * No message quotes the text: it may hold a password.
 * @throws CommandError for what is no address, and for a file that is not there.
 */
export function readAddress(text: string, folder: string): Address {
  if (text === "") throw usageError("the address after --check is empty: is the variable set that it comes from?")
  const [scheme = ""] = /^[a-z][a-z0-9+.-]+:/i.exec(text) ?? []
  const server = servers[scheme.toLowerCase()]
  if (server !== undefined) return { dialect: server, url: requireServerUrl(text, server) }
  return { dialect: "sqlite", path: requireFile(pathOf(text, scheme.toLowerCase()), folder) }
}

function requireServerUrl(text: string, dialect: "postgres" | "mysql"): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A password with an unescaped @, /, ? or # leaves its end in the host or the path, where drivers would quote it.
  const isBroken =
    url === undefined || [url.host, url.pathname, url.search, url.hash].some((part) => part.includes("@"))
  if (isBroken)
    throw usageError("the address after --check is no URL; in a password, write @ : / ? # % as %40 %3A %2F %3F %23 %25")
  if (dialect === "mysql" && url.pathname.length < 2)
    throw usageError("the address after --check names no database: mysql://user@host/database")
  return dialect === "mysql" ? text.replace(/^[^:]+/, "mysql") : text
}

function pathOf(text: string, scheme: string): string {
  if (scheme === "") return text
  if (scheme === "sqlite:") return withoutQuery(text.slice(scheme.length).replace(/^\/\//, ""))
  if (scheme === "file:")
    return text.startsWith("file://") ? fileUrlPath(text) : withoutQuery(text.slice(scheme.length))
  throw usageError("the address after --check must begin with postgres://, mysql://, sqlite: or file:, or be a path")
}

function fileUrlPath(text: string): string {
  try {
    return fileURLToPath(text)
  } catch {
    throw usageError("the file: URL after --check names no file of this machine")
  }
}

function withoutQuery(path: string): string {
  return path.replace(/\?.*$/s, "")
}

/** A driver would create the file that is not there. */
function requireFile(path: string, folder: string): string {
  const full = resolve(folder, path)
  const isFile = path !== "" && statSync(full, { throwIfNoEntry: false })?.isFile() === true
  if (!isFile) throw new CommandError("there is no database file at the path that --check names")
  return full
}
