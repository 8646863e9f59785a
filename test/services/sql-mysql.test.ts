import { describe } from "@jest/globals"
import { openMysqlAt } from "../adapters/sql/server-databases.js"
import { testSqlStore } from "../adapters/sql/store-tests.js"

const address = process.env.LATCHKEY_TEST_MYSQL ?? "mysql://root@127.0.0.1:3306/test"

describe("MySQL or MariaDB:", () => {
  testSqlStore(openMysqlAt(address), { hasLooseKeys: true })
})
