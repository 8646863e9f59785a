/** What a comparison finds. */

export type FindingKind =
  | "table"
  | "column"
  | "type"
  | "length"
  | "case"
  | "required"
  | "unfilled"
  | "unique"
  | "too-unique"
  | "foreign-key"
  | "index"

export interface Finding {
  /** `error`: sign-in will fail. `advice`: it works, until something happens that `why` tells. */
  readonly severity: "error" | "advice"
  readonly kind: FindingKind
  readonly table: string
  readonly columns: readonly string[]
  /** What is missing or wrong. */
  readonly what: string
  /** Why it matters. */
  readonly why: string
  /** Statements that put it right, one after the other; empty where no statement can. */
  readonly fix: readonly string[]
}
