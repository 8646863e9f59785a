import { randomBytes, scrypt, scryptSync, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import { people, type Person } from "./people.js"

interface PasswordHash {
  readonly salt: Buffer
  readonly key: Buffer
}

const derive: (password: string, salt: Buffer, length: number) => Promise<unknown> = promisify(scrypt)

/** Makes the function that finds the person with this name and password. */
export function createPasswordCheck(): (username: string, password: string) => Promise<Person | undefined> {
  const hashes = new Map(people.map((person) => [person.username, hashPassword(person.password)]))
  const nobody = hashPassword(randomBytes(32).toString("hex"))

  return async (username, password) => {
    // An unknown name costs as much time as a wrong password, so that nobody can find out who has an account.
    const matches = await isPassword(password, hashes.get(username) ?? nobody)
    return matches ? people.find((person) => person.username === username) : undefined
  }
}

function hashPassword(password: string): PasswordHash {
  const salt = randomBytes(16)
  return { salt, key: scryptSync(password, salt, 32) }
}

async function isPassword(password: string, { salt, key }: PasswordHash): Promise<boolean> {
  const derived = await derive(password, salt, key.length)
  return derived instanceof Uint8Array && timingSafeEqual(derived, key)
}
