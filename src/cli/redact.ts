/** Keeps passwords out of what the terminal shows: drivers may quote the address that they were given. */

const secretNames = /pass|pwd|secret|token|key/i

/** `text` without the passwords that the arguments and the environment hold. */
export function redactSecrets(
  text: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string {
  const secrets = [...args.flatMap(secretsOf), env["PGPASSWORD"] ?? ""].filter((secret) => secret !== "")
  const longestFirst = [...new Set(secrets)].sort((one, other) => other.length - one.length)
  return longestFirst.reduce((redacted, secret) => redacted.replaceAll(secret, "***"), text)
}

/** The passwords of an address, as they are written and as they are meant. */
function secretsOf(argument: string): readonly string[] {
  const password = /:\/\/[^:@/]*:(.*)@/s.exec(argument)?.[1] ?? ""
  const query = argument.slice(argument.indexOf("?") + 1)
  const parameters = [...query.matchAll(/([^?&=#]+)=([^&#]*)/g)]
  const values = parameters.flatMap(([, name = "", value = ""]) => (secretNames.test(name) ? [value] : []))
  return [password, ...values].flatMap((secret) => [secret, decode(secret)])
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray % is no escape: the text then means itself.
    return text
  }
}
