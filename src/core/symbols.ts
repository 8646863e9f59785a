/**
 * Switches that nobody sets by accident. Provider objects of `@auth/core` carry that package's own symbols of the
 * same descriptions, so ours are looked up by description with {@link readSymbol}.
 */

/** For framework authors: value of `config.skipCSRFCheck`. Only where the framework itself protects against CSRF. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check")

/** For framework authors: value of `config.raw`. `Auth` then returns a record instead of a `Response`. */
export const raw: unique symbol = Symbol("return-type-raw")

/**
 * Key on a provider or its options: a `fetch` of your own for calls to that provider (proxies, mocks, headers).
 * Whoever controls it sees client secrets and tokens.
 */
export const customFetch: unique symbol = Symbol("custom-fetch")

/** Marks the two `@auth/core` providers whose quirks are part of the core: Apple and Microsoft Entra ID. */
export const conformInternal: unique symbol = Symbol("conform-internal")

/** Reads the member of `holder` whose key is a symbol of the same description as `symbol`. */
export function readSymbol(holder: object, symbol: symbol): unknown {
  const key = Object.getOwnPropertySymbols(holder).find((own) => own.description === symbol.description)
  return key === undefined ? undefined : Reflect.get(holder, key)
}

/** Whether `value` is a symbol of the same description as `symbol`. */
export function isSymbol(value: unknown, symbol: symbol): boolean {
  return typeof value === "symbol" && value.description === symbol.description
}
