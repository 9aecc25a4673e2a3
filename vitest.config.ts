import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/run/longest-first.ts";
import { soaks, testFilesByProject } from "./test/run/test-projects.ts";
import { rememberModules } from "./test/service/program-environment.ts";

/** Kept from one run to the next, and safe to delete. */
const cache = fileURLToPath(new URL("node_modules/.cache", import.meta.url));
// The workers inherit it.
process.env.NODE_COMPILE_CACHE ??= path.join(cache, "test-runner");
process.env.MODULES_FILE ??= rememberModules.file;

/** Ponder provides it when it runs the service. */
const alias = { "ponder:schema": fileURLToPath(new URL("ponder.schema.ts", import.meta.url)) };

export default defineConfig(({ mode }) => {
  const isLong = mode === "long";
  const { unit, database, endToEnd } = testFilesByProject();
  const project = (name: string, include: string[], globalSetup: string[] = []) => ({
    extends: true as const,
    // A project reads the rest of this file anew, without the mode.
    test: {
      ...{ name, include, globalSetup },
      env: { TEST_LONG: isLong ? "on" : "" },
      // On a busy machine a service takes half a minute to start, and some tests start four.
      testTimeout: isLong ? 600_000 : 240_000,
      hookTimeout: isLong ? 600_000 : 240_000,
    },
  });

  return {
    resolve: { alias },
    test: {
      alias,
      projects: isLong
        ? [project("long", soaks, ["test/run/postgres.setup.ts"])]
        : [
            // Nothing but this process: seconds for all of it.
            project("unit", unit),
            // With a Postgres or an anvil.
            project("database", database, ["test/run/postgres.setup.ts"]),
            // With whole services.
            project("end-to-end", endToEnd, ["test/run/postgres.setup.ts"]),
          ],
      globalSetup: ["test/run/run-folder.setup.ts"],
      setupFiles: ["test/run/worker.setup.ts"],
      // What is waited for comes at once; on a busy machine, some seconds later.
      expect: { poll: { timeout: 20_000, interval: 80 } },
      // Some files mostly wait: five workers keep the two cores of a small machine busy from the first to the last second.
      maxWorkers: 5,
      // The files of a worker share what they import, which takes longer to load than most of them to run.
      isolate: false,
      // Most of what they make is gone at once: with more room for it, it is looked for less often. And what they load stays.
      execArgv: ["--max-semi-space-size=64", "--initial-old-space-size=384", rememberModules.argument],
      // What is compiled once, for all workers of this run and of those after it.
      experimental: { fsModuleCache: true, fsModuleCachePath: path.join(cache, "test-modules") },
      sequence: { sequencer: LongestFirst },
      // Continuous integration counts from the report.
      reporters: process.env.CI
        ? ["default", ["json", { outputFile: "node_modules/.cache/test-report.json" }]]
        : ["default"],
    },
  };
});
