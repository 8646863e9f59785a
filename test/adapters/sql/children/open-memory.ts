/** Opens a database in memory, and writes what went wrong. */
import { SqliteAdapter } from "../../../../src/adapters/sql.js"

try {
  SqliteAdapter(":memory:").close()
  console.log("opened")
} catch (error) {
  console.log(String(error))
}
