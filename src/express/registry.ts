/** Which `ExpressAuth` a guard belongs to, and where that one is mounted. */
import type { IncomingMessage } from "node:http"
import type { AuthConfig } from "../core/config/config.js"
import { InvalidConfiguration } from "../core/errors.js"
import { normalizeBasePath } from "../core/http/request.js"
import type { Instance } from "./instance.js"

/** The parts of an Express application that we look at. */
export interface App {
  readonly parent?: App
  path?(): string
  get?(setting: string): unknown
  on?(event: "mount", listener: (parent: App) => void): unknown
  readonly router?: unknown
  readonly _router?: unknown
}

// A property costs a request less than an entry of a WeakMap.
const met = Symbol("latchkey instance")

type AppRequest = IncomingMessage & { readonly app?: App; [met]?: Instance }

// Each entry lives as long as the app, configuration, middleware or instance that it is about.
const byApp = new WeakMap<App, ReadonlySet<Instance>>()
const byConfig = new WeakMap<AuthConfig, Instance>()
const byHandler = new WeakMap<object, Instance>()
const mounts = new WeakMap<Instance, { readonly app: App; readonly path: string | undefined }>()

/** The instance that has handled this request decides for the guards that come after. */
export function registerRequest(req: AppRequest, instance: Instance): void {
  req[met] = instance
  if (req.app) registerApp(req.app, instance)
}

/** Readers that have only the configuration share what its `ExpressAuth` has read. */
export function registerConfig(config: AuthConfig, instance: Instance): void {
  byConfig.set(config, instance)
}

/** The newest instance of a configuration object. */
export function instanceOfConfig(config: AuthConfig): Instance | undefined {
  return byConfig.get(config)
}

export function registerApp(app: App, instance: Instance): void {
  const known = byApp.get(app)
  if (!known?.has(instance)) byApp.set(app, new Set([...(known ?? []), instance]))
}

/** Remembers the path given to `app.use`. Patterns with parameters have none that is true of every request. */
export function registerMount(app: App, mountPath: unknown, instance: Instance): void {
  const [first] = [mountPath].flat()
  const path = typeof first === "string" ? first.replace(/\/?(?:\*\w*|\{\/?\*\w+\})$/, "") : undefined
  mounts.set(instance, { app, path: path !== undefined && /[:*{(]/.test(path) ? undefined : path })
  registerWithParents(app, instance)
}

/** An app may be mounted on another one before or after the middleware was mounted on it. */
function registerWithParents(app: App, instance: Instance): void {
  registerApp(app, instance)
  if (app.parent) registerWithParents(app.parent, instance)
  app.on?.("mount", (parent) => registerWithParents(parent, instance))
}

/** The path of an instance in the whole app; empty at the root, `undefined` when only requests can tell. */
export function mountPathOf(instance: Instance): string | undefined {
  const mount = mounts.get(instance)
  return mount?.path === undefined ? undefined : normalizeBasePath((mount.app.path?.() ?? "") + mount.path)
}

/** The app that an instance was mounted on. */
export function appOf(instance: Instance): App | undefined {
  return mounts.get(instance)?.app
}

/** Remembers which middleware is whose, so that it can be found in a router. */
export function registerHandler(handler: object, instance: Instance): void {
  byHandler.set(handler, instance)
}

/**
 * The instance for a request that a free-standing guard sees.
 * @throws InvalidConfiguration when there is none, or more than one could be meant.
 */
export function instanceFor(req: AppRequest): Instance {
  if (req[met]) return req[met]
  for (let app = req.app; app; app = app.parent) {
    const instances = instancesOf(app)
    const [first] = instances
    if (first && instances.size === 1) return first
    if (first) throw new InvalidConfiguration(severalInstances)
  }
  throw new InvalidConfiguration(noInstance)
}

/** Express tells an app of what is mounted on it, but not of what is mounted on its routers: those are looked through. */
function instancesOf(app: App): ReadonlySet<Instance> {
  const known = byApp.get(app)
  if (known) return known
  const found = layersOf(stackOf(app)).flatMap((handler) => byHandler.get(handler) ?? [])
  for (const instance of found) registerApp(app, instance)
  return new Set(found)
}

const noInstance =
  'requireSession() found no ExpressAuth on this app. Mount it, app.use("/auth", auth), add app.use(auth.session) before the guarded routes, or use auth.requireSession()'
const severalInstances =
  "requireSession() found several ExpressAuth on this app. Add app.use(auth.session) of the one that is meant before the guarded routes, or use auth.requireSession()"

/**
 * Whether the app, or a router on the way to the mount, has middleware that wants to see errors: four parameters, as
 * Express tells them apart.
 */
export function hasErrorMiddleware({ app }: AppRequest): boolean {
  for (let each = app; each; each = each.parent) if (leadsToErrors(stackOf(each))) return true
  return false
}

function leadsToErrors(stack: readonly Handler[], depth = 0): boolean {
  if (depth > 20) return false
  if (stack.some((handler) => handler.length === 4)) return true
  return stack
    .map(stackOf)
    .some((inner) => layersOf(inner).some((handler) => byHandler.has(handler)) && leadsToErrors(inner, depth + 1))
}

type Handler = (...parameters: never[]) => unknown

/** The handlers of a stack and of the routers in it. A router may hold itself. */
function layersOf(stack: readonly Handler[], seen: ReadonlySet<Handler> = new Set()): readonly Handler[] {
  const fresh = stack.filter((handler) => !seen.has(handler))
  const met = new Set([...seen, ...fresh])
  return fresh.flatMap((handler) => [handler, ...layersOf(stackOf(handler), met)])
}

/** The handlers of an app or a router, in order. */
function stackOf(holder: App | Handler): readonly Handler[] {
  // Express 4 throws when `app.router` is read.
  const router = memberOf(holder, "_router") ?? (memberOf(holder, "stack") ? holder : routerOf(holder))
  const stack = memberOf(router, "stack")
  return Array.isArray(stack) ? stack.map((layer) => memberOf(layer, "handle")).filter(isHandler) : []
}

function routerOf(holder: App | Handler): unknown {
  return "lazyrouter" in holder ? undefined : memberOf(holder, "router")
}

function memberOf(holder: unknown, name: string): unknown {
  return (typeof holder === "object" && holder !== null) || typeof holder === "function"
    ? Reflect.get(holder, name)
    : undefined
}

function isHandler(value: unknown): value is Handler {
  return typeof value === "function"
}
