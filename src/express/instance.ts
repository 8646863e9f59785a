/** What one call of `ExpressAuth` keeps: its engine, its place in the app, and the sessions it has read. */
import type { IncomingMessage } from "node:http"
import type { AuthConfig } from "../core/config/config.js"
import { setEnvDefaults } from "../core/config/env.js"
import { compile, type Compiled } from "../core/engine/compile.js"
import type { Engine, Ports } from "../core/engine/engine.js"
import { createMemory } from "../core/engine/memory.js"
import { InvalidConfiguration } from "../core/errors.js"
import type { Env } from "../core/http/origin.js"
import type { Awaitable } from "../core/types.js"
import { createAddressing, type Addressing, type FrameworkRequest } from "./address.js"
import { appOf, mountPathOf, registerConfig } from "./registry.js"
import { createSessionReader, type SessionReader } from "./session-reader.js"

/** A configuration, or a function that returns one for a request. */
export type ConfigSource<Req> = AuthConfig | ((req: Req) => Awaitable<AuthConfig>)

/** What the Express package takes from its surroundings. */
export interface ExpressPorts {
  readonly env: Env
  readonly now: () => number
  readonly fetch: typeof fetch
}

export interface Instance {
  readonly addressing: Addressing
  /** @throws AuthError that lists the problems of the configuration. */
  engineFor(req: IncomingMessage): Promise<Engine>
  compiledFor(req: IncomingMessage): Awaitable<Compiled>
  readonly sessions: SessionReader
  /** The public addresses that a guard needs. @throws BodyError(400) when the `Host` header is malformed. */
  addressesOf(req: IncomingMessage): Promise<Addresses>
  /** Whether the configuration or `AUTH_URL` says the base path. */
  readonly hasBasePath: boolean
}

export interface Addresses {
  readonly origin: string
  /** `https://app.example/auth`. */
  readonly baseUrl: string
  /** What a proxy has cut off every path, as `AUTH_URL` tells. Usually empty. */
  readonly prefix: string
}

export function createInstance(source: ConfigSource<never>, { env, now, fetch }: ExpressPorts): Instance {
  if (typeof source !== "function") requireConfig(source)
  const development = env["NODE_ENV"] !== "production"
  const ports: Ports = { now, fetch, development, ...createMemory(now) }
  const addressing = createAddressing(env, () => appOf(instance))
  const compiledConfigs = new WeakMap<AuthConfig, Compiled>()

  function compileOnce(config: AuthConfig): Compiled {
    requireConfig(config)
    const known = compiledConfigs.get(config)
    if (known) return known
    const fresh = compile(completed(config, env), ports, addressing.problems)
    compiledConfigs.set(config, fresh)
    return fresh
  }

  const lazily = new WeakMap<IncomingMessage, Promise<Compiled>>()
  async function compileLazily(configOf: (req: never) => Awaitable<AuthConfig>, req: IncomingMessage) {
    return compileOnce(await configOf(req as never))
  }

  let fixed: Compiled | undefined
  function compiledFor(req: IncomingMessage): Awaitable<Compiled> {
    if (typeof source !== "function") return (fixed ??= compileOnce(source))
    const compiling = lazily.get(req) ?? compileLazily(source, req)
    lazily.set(req, compiling)
    return compiling
  }

  async function engineFor(req: IncomingMessage): Promise<Engine> {
    const compiled = await compiledFor(req)
    if (compiled.kind === "engine") return compiled.engine
    throw compiled.misconfiguration.error
  }

  const hasBasePath = addressing.hasPath || (typeof source === "object" && source.basePath !== undefined)
  const sessions = createSessionReader({ compiledFor, addressing })

  async function addressesOf(req: IncomingMessage): Promise<Addresses> {
    const engine = await engineFor(req)
    const mounted = mountPathOf(instance) || engine.basePath
    if (!isPathKnown(instance, req)) throw new InvalidConfiguration(unknownPath)
    const basePath = addressing.publicBasePath(mounted)
    const { origin } = addressing.originOf(req)
    return { origin, baseUrl: origin + basePath, prefix: basePath.slice(0, basePath.length - mounted.length) }
  }

  const instance: Instance = { addressing, engineFor, compiledFor, sessions, addressesOf, hasBasePath }
  if (typeof source !== "function") {
    registerConfig(source, instance)
    reportEarly(compileOnce(source), compiledConfigs, source)
  }
  return instance
}

const unknownPath =
  'the path of the sign-in page is not known: mount ExpressAuth with app.use("/auth", auth), or, where it is mounted on a Router, say its whole path in `basePath`'

/** On Express, a path that nobody has told would be a guess, and lead people to a page that is not there. */
function isPathKnown(instance: Instance, req: FrameworkRequest): boolean {
  return mountPathOf(instance) !== undefined || req.app === undefined || instance.hasBasePath
}

/** @throws InvalidConfiguration */
function requireConfig(config: unknown): void {
  if (typeof config === "object" && config !== null) return
  throw new InvalidConfiguration("Latchkey needs a configuration, an object with `providers`; it was given none")
}

/** The caller's configuration is not ours to write to. */
function completed(config: AuthConfig, env: Env): AuthConfig {
  const own = { ...config }
  setEnvDefaults(env, own, true)
  return own
}

/** Problems are told when the app starts; the environment may still be completed before the first request. */
function reportEarly(compiled: Compiled, compiledConfigs: WeakMap<AuthConfig, Compiled>, config: AuthConfig): void {
  if (compiled.kind === "engine") return
  compiled.misconfiguration.logger.error(compiled.misconfiguration.error)
  compiledConfigs.delete(config)
}
