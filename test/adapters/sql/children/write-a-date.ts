/** Stores a date and reads it back, in the time zone of the environment. Arguments: dialect, address, options in JSON, the date. */
import mysql from "mysql2"
import pg from "pg"
import { MysqlAdapter, PostgresAdapter, type SqlAdapterOptions } from "../../../../src/adapters/sql.js"

const [dialect, address = "", options = "{}", moment = ""] = process.argv.slice(2)
const pool = dialect === "mysql" ? mysql.createPool(address) : new pg.Pool({ connectionString: address })
const given = JSON.parse(options) as SqlAdapterOptions
const adapter = pool instanceof pg.Pool ? PostgresAdapter(pool, given) : MysqlAdapter(pool, given)

const emailVerified = new Date(moment)
const { id } = await adapter.createUser({ id: crypto.randomUUID(), email: "a@example.com", emailVerified })
const user = await adapter.getUser(id)
console.log(user?.emailVerified?.toISOString())
if (pool instanceof pg.Pool) await pool.end()
else await pool.promise().end()
