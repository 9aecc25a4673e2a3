import { writeFile } from "node:fs/promises";
import { runBenchmark } from "../shared/run-benchmark.ts";
import { measure, type Sample } from "./measure.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";

await runBenchmark(readOptions, async (options, { processes, serverUrl, log }) => {
  const samples: Sample[] = [];
  for (const events of options.sizes) {
    samples.push(await measure(processes, serverUrl, { events, options, log }));
  }
  const report = makeReport(options, samples);
  log(formatReport(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
});
