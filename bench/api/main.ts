import { writeFile } from "node:fs/promises";
import { measure, type Phase } from "./measure.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";
import { runOnFixture } from "./run-on-fixture.ts";
import { startBare } from "./servers.ts";

const plans = [
  { name: "no cache", inFlight: 4, cacheMegabytes: 0 },
  { name: "cache", inFlight: 50, cacheMegabytes: undefined },
];

await runOnFixture(readOptions, async (options, { processes, fixture, log }) => {
  if (options.seedOnly) return;
  const bare = await startBare(processes, fixture.databaseUrl);
  const phases: Phase[] = [];
  for (const plan of plans) {
    log(`Measuring: ${plan.name}, ${plan.inFlight} in flight`);
    phases.push(await measure(processes, fixture, bare, { ...options, ...plan }));
  }
  const report = makeReport(options, options.seconds, phases);
  log(formatReport(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
});
