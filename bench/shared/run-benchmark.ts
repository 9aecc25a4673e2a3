import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { type Processes, startProcesses } from "../index/processes.ts";

type Given = {
  processes: Processes;
  /** URL of a Postgres for this run alone, as the superuser. */
  serverUrl: string;
  /** For files that are not needed afterwards. */
  folder: string;
  log: (line: string) => void;
};

/** Runs a benchmark with a Postgres of its own, and ends the process. Nothing outlives it. */
export async function runBenchmark<Options>(
  readOptions: () => Options,
  measure: (options: Options, given: Given) => Promise<void>,
): Promise<never> {
  const log = (line: string) => console.log(line);
  const supervisor = createSupervisor({ log });
  const code = await supervisor.run(async () => {
    const options = readOptions();
    const folder = await mkdtemp(path.join(tmpdir(), "launchpad-bench-"));
    supervisor.onExit(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    // As root, Postgres runs as another user, who has to get to the folder.
    await chmod(folder, 0o711);
    // Before the other processes, since it has to outlive them.
    const postgres = await supervisor.adopt("Postgres", (context) =>
      startPostgres({ dataDir: path.join(folder, "postgres"), log, ...context }),
    );
    const processes = await startProcesses(supervisor);
    await measure(options, { processes, serverUrl: postgres.adminUrl, folder, log });
    await supervisor.stop(0);
  });
  process.exit(code);
}
