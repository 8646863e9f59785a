import { execFile } from "node:child_process"

/** Runs a program to its end and gives what it printed. @throws Error that shows all its output, when it fails. */
export function run(program: string, parameters: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, parameters, { cwd, env: ownEnvironment(), maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} ${parameters.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error }))
      else resolve(stdout)
    })
  })
}

/** The environment without what jest and `npm run` add to it for this package. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const added = /^(?:NODE_ENV|NODE_OPTIONS|INIT_CWD|npm_(?:package|lifecycle|command|config_local_prefix)|AUTH_)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !added.test(name)))
}
