import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { folders } from "../../lake/tables/tables.ts";
import { runOnFixture } from "../api/run-on-fixture.ts";
import { askAll } from "./ask.ts";
import { runExport } from "./export.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";

/** What the questions need, beside the trades. */
const asked = ["early_buyers", "tokens", "curves"];

await runOnFixture(readOptions, async (options, { processes, fixture, log }) => {
  const folder = await mkdtemp(path.join(tmpdir(), "launchpad-lake-"));
  try {
    const parts = [["trades"], asked];
    if (options.all) parts.push(folders.filter((name) => name !== "trades" && !asked.includes(name)));
    const exports = [];
    for (const part of parts) {
      log(`Exporting ${part.join(", ")}`);
      exports.push(
        await runExport(processes, { databaseUrl: fixture.databaseUrl, folder, tables: part.join(",") }),
      );
    }
    log("Asking the questions");
    const answers = await askAll({ databaseUrl: fixture.databaseUrl, folder, runs: options.runs, log });
    const report = makeReport(options, exports, answers);
    log(formatReport(report));
    if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
