import { describe } from "@jest/globals"
import { openSqliteWith, sqliteDrivers } from "./sqlite-databases.js"
import { testSqlStore } from "./store-tests.js"

describe.each([...sqliteDrivers])("SQLite through %s:", (_name, openFile) => {
  testSqlStore(openSqliteWith(openFile))
})
