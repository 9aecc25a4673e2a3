import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { type Processes, startProcesses } from "../index/processes.ts";

type BenchmarkContext = {
  processes: Processes;
  /** The superuser's URL of a Postgres that is only used by this run. */
  serverUrl: string;
  /** A folder for temporary files. */
  folder: string;
  log: (line: string) => void;
  /** Registers a callback to run after every process has ended. */
  onExit: (callback: () => Promise<void>) => void;
};

/** Runs a benchmark with its own Postgres, and exits the process. Nothing outlives it. */
export async function runBenchmark<Options>(
  readOptions: () => Options,
  measure: (options: Options, given: BenchmarkContext) => Promise<void>,
): Promise<never> {
  const log = (line: string) => console.log(line);
  const supervisor = createSupervisor({ log });
  const code = await supervisor.run(async () => {
    const options = readOptions();
    const folder = await mkdtemp(path.join(tmpdir(), "launchpad-bench-"));
    supervisor.onExit(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    // Root's Postgres runs as another user, who has to enter the folder.
    await chmod(folder, 0o711);
    // Started before the other processes, since it has to outlive them.
    const postgres = await supervisor.adopt("Postgres", (context) =>
      startPostgres({ dataDir: path.join(folder, "postgres"), log, ...context }),
    );
    const processes = await startProcesses(supervisor);
    const { onExit } = supervisor;
    await measure(options, { processes, serverUrl: postgres.adminUrl, folder, log, onExit });
    await supervisor.stop(0);
  });
  process.exit(code);
}
