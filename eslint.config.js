import tseslint from "typescript-eslint"

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "bench/",
      "scripts/",
      "test/compat/",
      "test/package/fixture/",
      "src/core/pages/compiled-views.ts",
      "eslint.config.js",
      "**/*.d.ts",
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportAllDeclaration", message: "Export by name." },
        { selector: "Program > VariableDeclaration[kind='let']", message: "No state at module level." },
      ],
      "max-lines-per-function": ["error", { max: 60, skipComments: true, skipBlankLines: true }],
      eqeqeq: "error",
      // openid-client marks what it wants noticed as deprecated; the contract marks members that applications should leave.
      "@typescript-eslint/no-deprecated": "off",
      // The contract's open interfaces, to be extended by applications, add nothing of their own.
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/no-invalid-void-type": "off",
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/no-dynamic-delete": "off",
    },
  },
  {
    files: ["test/**", "examples/**", "src/testing/**"],
    rules: {
      "max-lines-per-function": "off",
      "@typescript-eslint/no-misused-promises": "off",
      "@typescript-eslint/no-floating-promises": "off",
      "@typescript-eslint/require-await": "off",
    },
  },
)
