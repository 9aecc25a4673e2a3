import { writeFile } from "node:fs/promises";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { startProcesses } from "../index/processes.ts";
import { openFixture, startServer } from "./fixture.ts";
import { measure, type Phase } from "./measure.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";
import { startBare } from "./servers.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

const plans = [
  { name: "no cache", inFlight: 4, cacheMegabytes: 0 },
  { name: "cache", inFlight: 50, cacheMegabytes: undefined },
];

process.exit(
  await supervisor.run(async () => {
    const options = readOptions();
    const { dataDir } = readSettings(log);
    const fixtureOptions = { ...options, dataDir, serverUrl: options.databaseUrl, log };
    // Before the other processes, since it has to outlive them.
    const serverUrl = await startServer(supervisor, fixtureOptions);
    const processes = await startProcesses(supervisor);
    const fixture = await openFixture(processes, serverUrl, fixtureOptions);
    if (!options.seedOnly) {
      const bare = await startBare(processes, fixture.databaseUrl);
      const phases: Phase[] = [];
      for (const plan of plans) {
        log(`Measuring: ${plan.name}, ${plan.inFlight} in flight`);
        phases.push(await measure(processes, fixture, bare, { ...options, ...plan }));
      }
      const report = makeReport(options, options.seconds, phases);
      log(formatReport(report));
      if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    }
    await supervisor.stop(0);
  }),
);
