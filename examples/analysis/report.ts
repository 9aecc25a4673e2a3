// npm run analysis -- --lake <folder> --to <file>: runs the five questions on a lake and draws the answers.

import { access, writeFile } from "node:fs/promises";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { reasonOf } from "../../config/error-code.ts";
import { isObjectStore } from "../../lake/store.ts";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { StartError } from "../../runtime/start-error.ts";
import { type AnswerRow, askLake, openLake, type Question, questions } from "./questions.ts";
import { page } from "./report/page.ts";

const usage = "It takes --lake <folder> and --to <file>: npm run analysis -- --lake lake --to report.html";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const { lake, to } = parseCommandLine(process.argv.slice(2), {
      options: { lake: { type: "string", default: "lake" }, to: { type: "string", default: "report.html" } },
      usage,
    }).values;
    if (!isObjectStore(lake)) await assertLake(lake);
    const instance = await DuckDBInstance.create(":memory:");
    const duckdb = await instance.connect();
    const scope = await openLake(duckdb, lake);
    const answers = new Map<Question, AnswerRow[]>();
    for (const question of questions) answers.set(question, await askLake(duckdb, question));
    await writeFile(to, page(scope, answers)).catch((error: unknown) => {
      throw new StartError(`the report can't be written to ${to}: ${reasonOf(error)}`, {
        code: "not-writable",
      });
    });
    log(`${to} has the answers to ${questions.length} questions`);
    void supervisor.stop(0);
  }),
);

async function assertLake(folder: string): Promise<void> {
  await access(path.join(folder, "manifest.json")).catch(() => {
    throw new StartError(
      `${folder} has no lake (no manifest.json): npm run lake -- --to ${folder} exports one`,
    );
  });
}
