import { writeFile } from "node:fs/promises";
import { runBenchmark } from "../shared/run-benchmark.ts";
import { measure } from "./measure.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";

await runBenchmark(readOptions, async (options, { processes, serverUrl, folder, log }) => {
  log(`Measuring: ${options.clients} clients, ${options.blocks} blocks of ${options.trades} trades`);
  const report = makeReport(options, await measure(processes, serverUrl, folder, options));
  log(formatReport(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
});
