/** Where tests run as root, starting PostgreSQL creates the user it runs as, which two test files at once could not do. */
import { openPostgres } from "./support/postgres.mjs"

const postgres = openPostgres()
await postgres.start()
await postgres.close()
