/** Both versions of Express that applications run. Each suite runs on both. */
import express from "express"
import express4 from "express4"

export interface ExpressVersion {
  readonly version: string
  readonly express: typeof express
  /** Paths for `app.use` that mean "everything below /auth", in the syntax of this version. */
  readonly wildcards: readonly string[]
  /** Paths that mean "/auth below anything". */
  readonly leadingWildcards: readonly string[]
}

export const expressVersions: readonly ExpressVersion[] = [
  { version: "Express 4", express: express4, wildcards: ["/auth/*"], leadingWildcards: ["/*/auth"] },
  {
    version: "Express 5",
    express,
    wildcards: ["/auth/*splat", "/auth/{*any}", "/auth{/*any}"],
    leadingWildcards: ["/*tenant/auth"],
  },
]
