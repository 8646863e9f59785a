// @ts-check
import { connect } from "node:net"

/** @typedef {"postgres" | "redis"} Service */

/** Where each one runs. @type {Readonly<Record<Service, string>>} */
export const addresses = {
  postgres: process.env["LATCHKEY_TEST_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/test",
  redis: process.env["LATCHKEY_TEST_REDIS"] ?? "redis://127.0.0.1:6379",
}

/** @type {Readonly<Record<Service, { name: string, port: number }>>} */
const defaults = { postgres: { name: "PostgreSQL", port: 5432 }, redis: { name: "Redis", port: 6379 } }

/**
 * Why a service cannot be used, without the password that its address may have; `undefined` when somebody listens there.
 *
 * @param {Service} service
 * @returns {Promise<string | undefined>}
 */
export async function absenceOf(service) {
  const { name, port: usualPort } = defaults[service]
  const { hostname, port } = new URL(addresses[service])
  const place = { host: hostname.replace(/^\[|\]$/g, "") || "127.0.0.1", port: Number(port) || usualPort }
  return (await isListening(place)) ? undefined : `no ${name} at ${place.host}:${place.port}`
}

/**
 * @param {{ host: string, port: number }} place
 * @returns {Promise<boolean>}
 */
function isListening(place) {
  return new Promise((resolve) => {
    const socket = connect({ ...place, timeout: 2000 })
    const finish = (/** @type {boolean} */ answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once("connect", () => finish(true))
    socket.once("error", () => finish(false))
    socket.once("timeout", () => finish(false))
  })
}
