/** Databases of a test's own on servers that run: PostgreSQL, and MySQL or MariaDB. */
import { randomUUID } from "node:crypto"
import mysql from "mysql2"
import pg from "pg"
import { MysqlAdapter, PostgresAdapter } from "../../../src/adapters/sql.js"
import type { OpenDatabase, Rows } from "./test-database.js"

const newName = (): string => `latchkey_${randomUUID().replaceAll("-", "")}`

/** A schema of its own: every connection looks for tables there and nowhere else. */
export function openPostgresAt(connectionString: string): OpenDatabase {
  return async () => {
    const schema = newName()
    const connect = (): pg.Pool => {
      const pool = new pg.Pool({ connectionString, options: `-c search_path=${schema}` })
      // A server that is stopped tells connections that are about to close.
      return pool.on("error", () => undefined)
    }
    const own = connect()
    const pools = [own]
    await own.query(`create schema ${schema}`)
    return {
      dialect: "postgres",
      query: async (sql) => (await own.query<Rows[number]>(sql)).rows,
      open: (options) => {
        const pool = connect()
        pools.push(pool)
        return PostgresAdapter(pool, options)
      },
      close: async () => {
        await own.query(`drop schema ${schema} cascade`)
        for (const pool of pools) await pool.end()
      },
    }
  }
}

export function openMysqlAt(address: string): OpenDatabase {
  return async () => {
    const database = newName()
    const administrator = mysql.createPool(address).promise()
    await administrator.query(`create database ${database}`)
    const uri = new URL(address)
    uri.pathname = `/${database}`
    const connect = (): mysql.Pool => mysql.createPool(uri.href)
    const own = connect().promise()
    const pools = [own]
    return {
      dialect: "mysql",
      query: async (sql) => {
        const [rows] = await own.query(sql)
        return Array.isArray(rows) ? (rows as Rows) : []
      },
      open: (options) => {
        const pool = connect()
        pools.push(pool.promise())
        return MysqlAdapter(pool, options)
      },
      close: async () => {
        await administrator.query(`drop database ${database}`)
        for (const pool of [administrator, ...pools]) await pool.end()
      },
    }
  }
}
