/** The surroundings of a real server. */
import process from "node:process"
import { outboundFetch } from "#fetch"
import type { Env } from "../core/http/origin.js"
import type { ExpressPorts } from "./instance.js"

/** The real clock and network, with the proxies that `env` names. */
export function portsIn(env: Env): ExpressPorts {
  return { env, now: () => Date.now(), fetch: outboundFetch(env) }
}

export const nodePorts: ExpressPorts = portsIn(process.env)
