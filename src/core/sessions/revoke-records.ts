/** Ends database sessions that a provider has ended. Their tokens tell which ones, so that no table needs a column more. */
import { findOwner } from "../accounts/owner.js"
import { SignOutError, UnsupportedStrategy } from "../errors.js"
import { requireList } from "../storage/records.js"
import { asError } from "../thrown.js"
import type { LogoutMarks } from "./logout-marks.js"
import { deleteRecord, type RecordsOptions } from "./records.js"
import type { Revocation, Revoked } from "./strategy.js"

/** The token of a session that a provider may end. */
export function markToken(token: string, marks: LogoutMarks | undefined): string {
  return marks?.session === undefined ? token : `${token}.${marks.session}`
}

const subIsId = 'accounts are found by its "sub", so profile() must give that as the id'

/** @throws UnsupportedStrategy when nobody is named; AdapterError when the store cannot be asked. */
export async function revokeRecords(
  options: RecordsOptions,
  { account, marks: { session: mark } }: Revocation,
): Promise<Revoked> {
  if (!account) {
    throw new UnsupportedStrategy(
      'database sessions are found by their user: the logout token must name a "sub" as well as a "sid"',
    )
  }
  const { store } = options
  const user = await findOwner(store, account)
  if (!user) {
    options.logger.error(new SignOutError(`A logout token of "${account.provider}" names nobody here: ${subIsId}`))
    return { events: [] }
  }
  const all = requireList(await store.listSessionsByUserId(user.id), "listSessionsByUserId")
  const meant = mark === undefined ? all : all.filter(({ sessionToken }) => sessionToken.endsWith(`.${mark}`))
  // One that cannot be deleted must not keep the others alive.
  const outcomes = await Promise.allSettled(meant.map(({ sessionToken }) => deleteRecord(options, sessionToken)))
  const events = meant.filter((_, index) => outcomes[index]?.status === "fulfilled").map((session) => ({ session }))
  const failed = outcomes.find((outcome) => outcome.status === "rejected")
  if (!failed) return { events }
  const failure = new SignOutError("A session could not be deleted", { cause: { err: asError(failed.reason) } })
  return { events, failure }
}
