/** What a reader of facts is told. */

export interface Reading {
  /** Where the driver is looked up first. */
  readonly folder: string
  /** Milliseconds that connecting, and each question, may take. */
  readonly patienceMs: number
  /** Bare names (`bareName`) of the tables that matter; a database may have thousands of others. */
  readonly candidates: readonly string[]
}
