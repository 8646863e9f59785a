/** Sign-ins of every kind, each of which calls some methods of the adapter. */
import type { MethodName, StoredOptions } from "./stored-adapter.js"
import { newUserId } from "../../src/core/accounts/user-id.js"
import { secret } from "./core-browser.js"
import {
  ada,
  grace,
  openStoredSite,
  proveAddresses,
  signInAs,
  type StoredSite,
  type StoredSiteOptions,
} from "./stored-site.js"

export interface Scenario {
  readonly name: string
  readonly options: StoredSiteOptions
  /** What was there before. */
  readonly prepare?: (site: StoredSite) => Promise<unknown>
  readonly run: (site: StoredSite) => Promise<Response>
  /** Methods without which it cannot be done. */
  readonly needs: readonly MethodName[]
  /** Methods whose failure is not the person's business. */
  readonly spares?: readonly MethodName[]
  /** How many users and accounts there are when it has worked, however often it was tried. */
  readonly ends: { readonly users: number; readonly accounts: number }
}

const linksByAddress = { provider: { allowDangerousEmailAccountLinking: true } } as const
const credentials = (site: StoredSite) =>
  site.browser.submit("callback/credentials", { name: "ann", callbackUrl: "/account" })

export const scenarios: readonly Scenario[] = [
  {
    name: "a sign-up",
    options: {},
    run: (site) => signInAs(site),
    needs: ["getUserByAccount", "getUserByEmail", "createUser", "linkAccount", "createSession"],
    ends: { users: 1, accounts: 1 },
  },
  {
    name: "a sign-up, under jwt",
    options: { strategy: "jwt" },
    run: (site) => signInAs(site),
    needs: ["getUserByAccount", "getUserByEmail", "createUser", "linkAccount"],
    ends: { users: 1, accounts: 1 },
  },
  {
    name: "a sign-up in one transaction",
    options: stored(["createUserWithAccount", "deleteExpired"]),
    run: (site) => signInAs(site),
    needs: ["createUserWithAccount", "createSession"],
    spares: ["deleteExpired"],
    ends: { users: 1, accounts: 1 },
  },
  {
    name: "a second sign-in",
    options: stored(["updateAccount"]),
    prepare: (site) => signInAs(site),
    run: (site) => signInAs(site),
    needs: ["getUserByAccount", "getSessionAndUser", "createSession"],
    spares: ["updateAccount", "deleteSession"],
    ends: { users: 1, accounts: 1 },
  },
  {
    name: "a link",
    options: {},
    prepare: (site) => signInAs(site),
    run: (site) => signInAs(site, grace, "other"),
    needs: ["getUserByAccount", "getSessionAndUser", "linkAccount", "createSession"],
    spares: ["deleteSession"],
    ends: { users: 1, accounts: 2 },
  },
  {
    name: "a link, under jwt",
    options: { strategy: "jwt" },
    prepare: (site) => signInAs(site),
    run: (site) => signInAs(site, grace, "other"),
    needs: ["getUser", "getUserByAccount", "linkAccount"],
    ends: { users: 1, accounts: 2 },
  },
  {
    name: "a link by address",
    options: linksByAddress,
    prepare: async (site) => {
      await signInAs({ ...site, browser: site.another() })
      proveAddresses(site)
    },
    run: (site) => signInAs(site, { ...ada, sub: "7" }, "other"),
    needs: ["getUserByAccount", "getUserByEmail", "linkAccount", "createSession"],
    ends: { users: 1, accounts: 2 },
  },
  {
    name: "a sign-in after a crash",
    options: { ...stored(["listAccountsByUserId", "listSessionsByUserId"]), hasCredentials: false },
    prepare: async ({ stored: { users } }) => {
      const id = await newUserId(secret, { provider: "idp", providerAccountId: "ada" })
      users.push({ id, email: "ada@example.com", emailVerified: null })
    },
    run: (site) => signInAs(site),
    needs: ["getUserByEmail", "listAccountsByUserId", "listSessionsByUserId", "linkAccount"],
    ends: { users: 1, accounts: 1 },
  },
  {
    name: "first credentials",
    options: {},
    run: credentials,
    needs: ["getUser", "getUserByEmail", "createUser", "createSession"],
    ends: { users: 1, accounts: 0 },
  },
  {
    name: "credentials of a user",
    options: {},
    prepare: credentials,
    run: credentials,
    needs: ["getUser", "createSession"],
    spares: ["deleteSession"],
    ends: { users: 1, accounts: 0 },
  },
]

function stored(extras: NonNullable<StoredOptions["extras"]>): StoredSiteOptions {
  return { stored: { extras } }
}

/** A site where everything is as it was before; its adapter may take 50 ms. */
export async function openScenario({ options, prepare }: Scenario): Promise<StoredSite> {
  const site = openStoredSite({ ...options, timeouts: { adapter: 0.05 } })
  await prepare?.(site)
  return site
}
