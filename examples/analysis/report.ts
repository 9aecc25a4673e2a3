// npm run analysis -- --lake <folder> --to <file>: runs the five questions on a lake and draws the answers.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { type AnswerRow, askLake, openLake, type Question, questions } from "./questions.ts";
import { page } from "./report/page.ts";

const { lake, to } = parseArgs({
  options: { lake: { type: "string", default: "lake" }, to: { type: "string", default: "report.html" } },
}).values;

const instance = await DuckDBInstance.create(":memory:");
const duckdb = await instance.connect();
const scope = await openLake(duckdb, lake);
const answers = new Map<Question, AnswerRow[]>();
for (const question of questions) answers.set(question, await askLake(duckdb, question));
await writeFile(to, page(scope, answers));
console.log(`${to} has the answers to ${questions.length} questions`);
