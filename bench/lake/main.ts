import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { folders } from "../../lake/tables/tables.ts";
import { runOnFixture } from "../api/run-on-fixture.ts";
import { askAll } from "./ask.ts";
import { runExport } from "./export.ts";
import { type LakeBenchmarkOptions, readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";

/** The tables that the questions need in addition to the trades. */
const asked = ["early_buyers", "tokens", "curves"];

/** The groups of tables that are exported and timed together. */
function tableGroups({ lake, all }: LakeBenchmarkOptions): string[][] {
  if (lake !== undefined) return [];
  const others = folders.filter((name) => name !== "trades" && !asked.includes(name));
  return [["trades"], asked, ...(all ? [others] : [])];
}

await runOnFixture(readOptions, async (options, { processes, fixture, log }) => {
  const { databaseUrl } = fixture;
  const folder = options.lake ?? (await mkdtemp(path.join(tmpdir(), "launchpad-lake-")));
  try {
    const exports = [];
    for (const part of tableGroups(options)) {
      log(`Exporting ${part.join(", ")}`);
      exports.push(await runExport(processes, { databaseUrl, folder, tables: part.join(",") }));
    }
    log("Asking the questions");
    const answers = await askAll({ ...options, databaseUrl, folder, log });
    const report = makeReport(options, exports, answers);
    log(formatReport(report));
    if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    if (options.lake === undefined) await rm(folder, { recursive: true, force: true });
  }
});
