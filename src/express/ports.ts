/** The surroundings of a real server. */
import process from "node:process"
import type { ExpressPorts } from "./instance.js"

export const nodePorts: ExpressPorts = {
  env: process.env,
  now: () => Date.now(),
  fetch: (input, init) => fetch(input, init),
}
