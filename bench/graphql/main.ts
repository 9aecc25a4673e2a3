import { writeFile } from "node:fs/promises";
import { runOnFixture } from "../api/run-on-fixture.ts";
import { measure } from "./measure.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";

await runOnFixture(readOptions, async (options, { processes, fixture, log }) => {
  const report = makeReport(options, await measure(processes, fixture, options, log));
  log(formatReport(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
});
