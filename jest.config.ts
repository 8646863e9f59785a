/** @jest-config-loader esbuild-register */
import type { JestConfigWithTsJest } from "ts-jest"

const config: JestConfigWithTsJest = {
  testEnvironment: "node",
  // The default leaves a core to others; on two cores that is half of the machine.
  maxWorkers: "100%",
  roots: ["<rootDir>/test"],
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/(browser|compat|services)/"],
  extensionsToTreatAsEsm: [".ts"],
  moduleNameMapper: {
    "^(\\.{1,2}/.*)\\.js$": "$1",
    "^#fetch$": "<rootDir>/src/core/http/fetch.node.ts",
    "^#(hash|jwe)$": "<rootDir>/src/core/crypto/$1.node.ts",
    "^latchkey$": "<rootDir>/src/index.ts",
    "^latchkey/(core|testing)$": "<rootDir>/src/$1/index.ts",
    "^latchkey/(errors|jwt|types)$": "<rootDir>/src/core/$1.ts",
    "^latchkey/adapters$": "<rootDir>/src/adapters/contract.ts",
    "^latchkey/adapters/(.*)$": "<rootDir>/src/adapters/$1.ts",
    "^latchkey/providers$": "<rootDir>/src/providers/kinds.ts",
    "^latchkey/providers/(.*)$": "<rootDir>/src/providers/$1.ts",
  },
  setupFiles: ["<rootDir>/test/support/property-seed.ts"],
  transform: { "^.+\\.ts$": ["ts-jest", { useESM: true }] },
}
export default config
