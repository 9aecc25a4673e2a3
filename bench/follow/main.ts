import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { startProcesses } from "../index/processes.ts";
import { measure, type Sample } from "./measure.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";
import { setups } from "./setups.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
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
    const samples: Sample[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      for (const name of options.only) {
        log(`round ${round}: ${setups[name].description}`);
        samples.push(await measure(processes, postgres.adminUrl, { name, round, options }));
      }
    }
    const report = makeReport(options, samples);
    log(formatReport(report));
    if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    await supervisor.stop(0);
  }),
);
