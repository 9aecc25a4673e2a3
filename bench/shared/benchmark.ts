import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type PostgresOptions,
  type RunningPostgres,
  startPostgres,
} from "../../runtime/postgres/start-postgres.ts";
import { createSupervisor, type Supervisor } from "../../runtime/process/supervisor.ts";
import { StartError } from "../../runtime/start-error.ts";
import { createDatabase } from "./database.ts";
import { type Flags, type Options, readOptions, text } from "./options.ts";
import { type Process, startProcess } from "./process.ts";
import { describeMachine, formatMachine } from "./report.ts";

export type Benchmark = {
  log(line: string): void;
  /** A folder for temporary files. */
  folder: string;
  /** Starts a process that may end at any time, and that doesn't outlive the benchmark. */
  start(name: string, args: string[], options?: Parameters<typeof startProcess>[3]): Process;
  /** Starts Postgres with the settings that users get. It outlives what is started later. */
  startPostgres(options: Partial<PostgresOptions>): Promise<RunningPostgres>;
  /** Creates a database on a Postgres for this run, in place of an earlier one of this name. Resolves to its URL. */
  createDatabase(name: string): Promise<string>;
  /** Registers a callback to run after every process has ended. */
  onExit: Supervisor["onExit"];
};

type Report = {
  /** What is printed below the description of the machine. */
  lines: string[];
  /** What `--json` writes, in addition to the options and the machine. */
  data: object;
  /** Why the benchmark fails, if it does. */
  failure?: string | undefined;
};

/**
 * Runs a benchmark, prints its report, writes it to the file of `--json`, and exits the process: with 1 if anything failed. Nothing
 * outlives it.
 */
export async function runBenchmark<Given extends Flags>(
  flags: Given,
  measure: (options: Options<Given>, benchmark: Benchmark) => Promise<Report>,
): Promise<never> {
  const log = (line: string) => console.log(line);
  const supervisor = createSupervisor({ log });
  const code = await supervisor.run(async () => {
    const options = readOptions({ ...flags, json: text }) as Options<Given> & { json?: string };
    const { json } = options;
    const folder = await mkdtemp(path.join(tmpdir(), "launchpad-bench-"));
    supervisor.onExit(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    // Root's Postgres runs as another user, who has to enter the folder.
    await chmod(folder, 0o711);
    const start = (given: Partial<PostgresOptions>) =>
      supervisor.adopt("Postgres", (context) =>
        startPostgres({ dataDir: path.join(folder, "postgres"), log, ...given, ...context }),
      );
    let server: Promise<RunningPostgres> | undefined;
    const { lines, data, failure } = await measure(options, {
      log,
      folder,
      start: (name, args, started) => startProcess(supervisor, name, args, started),
      startPostgres: start,
      async createDatabase(name) {
        server ??= start({});
        return await createDatabase((await server).adminUrl, name);
      },
      onExit: supervisor.onExit,
    });
    const machine = describeMachine();
    log(["", formatMachine(machine), "", ...lines].join("\n"));
    if (json !== undefined) {
      await writeFile(json, `${JSON.stringify({ options, machine, ...data }, null, 2)}\n`);
    }
    if (failure !== undefined) throw new StartError(failure);
    await supervisor.stop(0);
  });
  process.exit(code);
}
