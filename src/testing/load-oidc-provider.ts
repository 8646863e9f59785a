import type * as oidcProvider from "oidc-provider"

export type OidcProviderModule = typeof oidcProvider

const loading = new Map<"oidc-provider", Promise<OidcProviderModule>>()

/**
 * Loads the optional peer `oidc-provider`, once.
 * @throws Error naming the command that installs it, when it is missing.
 */
export function loadOidcProvider(): Promise<OidcProviderModule> {
  const known = loading.get("oidc-provider")
  if (known) return known
  const loaded = importQuietly()
  loading.set("oidc-provider", loaded)
  loaded.catch(() => loading.delete("oidc-provider"))
  return loaded
}

// While it loads, oidc-provider warns that it prefers a newer Node; everything used here runs on all that we support.
async function importQuietly(): Promise<OidcProviderModule> {
  const { warn } = console
  console.warn = (...parts: readonly unknown[]) => {
    if (!String(parts[0]).includes("oidc-provider WARNING: Unsupported runtime")) warn.apply(console, [...parts])
  }
  try {
    return await import("oidc-provider")
  } catch (cause) {
    throw isMissing(cause) ? new Error(missingMessage, { cause }) : cause
  } finally {
    console.warn = warn
  }
}

const missingMessage =
  "The local OpenID provider needs the package oidc-provider, which is not installed: npm install --save-dev oidc-provider"

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    /MODULE_NOT_FOUND$/.test(String(error.code)) &&
    /'oidc-provider'/.test(error.message)
  )
}
