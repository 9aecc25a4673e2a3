import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

export default defineConfig({
  resolve: {
    // Ponder provides it when it runs the service.
    alias: { "ponder:schema": fileURLToPath(new URL("ponder.schema.ts", import.meta.url)) },
  },
  test: {
    include: ["**/*.test.ts"],
    exclude: ["node_modules/**", ".data/**"],
    // Ponder resolves it for the service.
    alias: { "ponder:schema": fileURLToPath(new URL("ponder.schema.ts", import.meta.url)) },
    globalSetup: ["test/support/postgres.setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes at once; on a busy machine, some seconds later.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Continuous integration counts from the report.
    reporters: process.env.CI
      ? ["default", ["json", { outputFile: "node_modules/.cache/test-report.json" }]]
      : ["default"],
  },
});
