import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/run/longest-first.ts";
import { testFilesByProject } from "./test/run/test-projects.ts";
import { rememberModules } from "./test/service/program-environment.ts";

/** Lasts from run to run, and is safe to delete. */
const cache = fileURLToPath(new URL("node_modules/.cache", import.meta.url));
// The workers inherit it.
process.env.NODE_COMPILE_CACHE ??= path.join(cache, "test-runner");
process.env.MODULES_FILE ??= rememberModules.file;

/** In the service, Ponder provides this module. */
const alias = { "ponder:schema": fileURLToPath(new URL("ponder.schema.ts", import.meta.url)) };

export default defineConfig(({ mode }) => {
  const isLong = mode === "long";
  const { unit, database, endToEnd, long } = testFilesByProject();
  const project = (name: string, include: string[], globalSetup: string[] = []) => ({
    extends: true as const,
    // Each project loads the rest of this file again, without the mode.
    test: {
      name,
      include,
      globalSetup,
      env: { TEST_LONG: isLong ? "on" : "" },
      // On a busy machine a service takes a minute to start, and some tests start four of them.
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  });

  return {
    resolve: { alias },
    test: {
      alias,
      projects: isLong
        ? Object.entries(long).map(([name, files]) => project(name, files, ["test/run/postgres.setup.ts"]))
        : [
            // Needs nothing but this process, and takes seconds in all.
            project("unit", unit),
            // Needs a Postgres or an anvil.
            project("database", database, ["test/run/postgres.setup.ts"]),
            // Runs whole services.
            project("end-to-end", endToEnd, ["test/run/postgres.setup.ts"]),
          ],
      globalSetup: ["test/run/run-folder.setup.ts"],
      setupFiles: ["test/run/worker.setup.ts"],
      // What is polled for usually happens at once, but some seconds later on a busy machine.
      expect: { poll: { timeout: 20_000, interval: 80 } },
      // Some files mostly wait, so four workers keep the two cores of a small machine busy from start to end.
      maxWorkers: 4,
      // The files of a worker share modules, which take longer to load than most of the files take to run.
      isolate: false,
      // Most objects are short-lived, so a larger young generation is collected less often. Loaded modules fill the old one.
      execArgv: ["--max-semi-space-size=64", "--initial-old-space-size=384", rememberModules.argument],
      // Files are compiled once for all workers, of this run and of later ones.
      experimental: { fsModuleCache: true, fsModuleCachePath: path.join(cache, "test-modules") },
      sequence: { sequencer: LongestFirst },
      // CI counts the tests from the report.
      reporters: process.env.CI
        ? ["default", ["json", { outputFile: "node_modules/.cache/test-report.json" }]]
        : ["default"],
    },
  };
});
