/** A guard that is set up wrongly must not stand open. */
import { describe, expect, it } from "@jest/globals"
import { requireSession } from "../../src/index.js"

/** As an application without types calls it. */
const guard = requireSession as unknown as (...given: readonly unknown[]) => unknown
const handler = () => undefined

describe("requireSession refuses when the app is built", () => {
  it.each([
    ["an option that it does not have", [{ roles: ["admin"] }], /no option "roles"/],
    ["an option in another case", [{ Where: () => false }], /no option "Where"/],
    ["a condition that is missing", [{ where: undefined }], /where must be a function/],
    ["a condition that is no function", [{ where: "admin" }], /where must be a function/],
    ["options after the handler", [handler, { where: () => false }], /options before the handler/],
    ["what is neither options nor handler", ["admin"], /options or a handler/],
    ["null", [null], /options or a handler/],
    ["to be used as middleware itself", [{ method: "GET", headers: {} }, {}, handler], /write requireSession\(\)/],
  ])("%s", (_what, given, message) => {
    expect(() => guard(...given)).toThrow(message)
  })

  it.each([[[]], [[{}]], [[handler]], [[{ where: () => true }]], [[{ where: () => true }, handler]]])(
    "but not %p",
    (given) => {
      expect(guard(...given)).toBeInstanceOf(Function)
    },
  )
})
