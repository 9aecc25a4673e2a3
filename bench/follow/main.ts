import { writeFile } from "node:fs/promises";
import { runBenchmark } from "../shared/run-benchmark.ts";
import { measure, type Sample } from "./measure.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";
import { setups } from "./setups.ts";

await runBenchmark(readOptions, async (options, { processes, serverUrl, log }) => {
  const samples: Sample[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    for (const name of options.only) {
      log(`round ${round}: ${setups[name].description}`);
      samples.push(await measure(processes, serverUrl, { name, round, options }));
    }
  }
  const report = makeReport(options, samples);
  log(formatReport(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
});
