import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { childEnvironment } from "../config/process-environment.ts";
import {
  type AnswerRow,
  askLake,
  askPostgres,
  openLake,
  type Question,
  questions,
} from "../examples/analysis/questions.ts";
import { folders } from "../lake/tables/tables.ts";
import { onConnection } from "../offchain/connection.ts";
import { type Fixture, fixtureFlags, openFixture } from "./fixture/fixture.ts";
import { type Benchmark, runBenchmark } from "./shared/benchmark.ts";
import { someOf, text, toggle, whole } from "./shared/options.ts";
import { onchainSchema } from "./shared/ponder.ts";
import { readMemory, timed } from "./shared/process.ts";
import { median, tableOf } from "./shared/report.ts";

/* Measures the export to Parquet, and five questions on Postgres and on the files. */

const exportProgram = fileURLToPath(new URL("../lake/command/lake.ts", import.meta.url));

/** The targets for ten million trades on 2 cores. */
const aims = { exportSeconds: 180, peakMiB: 1_024, timesFaster: 10 };
/** The tables that the questions need in addition to the trades. */
const askedTables = ["early_buyers", "tokens", "curves"];

const flags = {
  ...fixtureFlags(1_000_000, 10_000_000),
  /** How often each engine runs each question, after a first time to warm up. The median counts. */
  runs: whole(3),
  /** An existing lake of the database, to use instead of exporting one. */
  lake: text,
  questions: someOf(questions),
  /** Whether to export the remaining tables, too. */
  all: toggle(),
};

await runBenchmark(flags, async (options, benchmark) => {
  const { tokens, trades, lake, all } = options;
  const { log } = benchmark;
  const fixture = await openFixture(benchmark, options);
  const folder = lake ?? path.join(benchmark.folder, "lake");
  const others = folders.filter((name) => name !== "trades" && !askedTables.includes(name));
  const groups = lake === undefined ? [["trades"], askedTables, ...(all ? [others] : [])] : [];
  const exported = [];
  for (const tables of groups) {
    log(`Exporting ${tables.join(", ")}`);
    exported.push(await runExport(benchmark, fixture, folder, tables));
  }
  log("Asking the questions");
  const asked = await askAll(benchmark, fixture, folder, options);
  return {
    lines: [
      `${tokens} registered tokens, ${trades} trades`,
      "",
      ...exported.flatMap(({ tables, files, rows, bytes, seconds, peakMiB }) => [
        tables.join(","),
        `  ${rows} rows in ${files} files in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} rows/s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s of Parquet (${(bytes / 1e6).toFixed(0)} MB), at most ${Math.round(peakMiB)} MiB`,
      ]),
      `aims: the trades in ${aims.exportSeconds} s within ${aims.peakMiB} MiB`,
      "",
      ...tableOf(
        asked.map(({ question, rows, isEqual, postgres, parquet }) => ({
          question,
          rows: String(rows),
          "Postgres ms": median(postgres).toFixed(0),
          "Parquet ms": median(parquet).toFixed(0),
          ratio: (median(postgres) / median(parquet)).toFixed(1),
          answers: isEqual ? "equal" : "THEY DIFFER",
        })),
      ),
      `aim: ${aims.timesFaster} times as fast, each`,
    ],
    data: { exported, asked },
    failure: asked.every(({ isEqual }) => isEqual)
      ? undefined
      : "Postgres and the files answered differently",
  };
});

/** Runs the export into a folder as a user would, and measures it. */
async function runExport({ start }: Benchmark, { databaseUrl }: Fixture, folder: string, tables: string[]) {
  const args = ["--no-warnings", exportProgram, "--to", folder, "--tables", tables.join(",")];
  const env = childEnvironment({ DATABASE_URL: databaseUrl, DATABASE_SCHEMA: onchainSchema });
  const child = start("the export", args, { env });
  let peakMiB = 0;
  const look = setInterval(async () => {
    const { peak } = await readMemory(child.pid);
    // NaN once it has ended.
    if (peak > peakMiB) peakMiB = peak;
  }, 200);
  const [milliseconds] = await timed(child.untilDone);
  clearInterval(look);
  const manifest = JSON.parse(await readFile(path.join(folder, "manifest.json"), "utf8")) as {
    files: { table: string; path: string | null; rows: number; bytes: number }[];
  };
  const files = manifest.files.filter((file) => tables.includes(file.table));
  return {
    tables,
    files: files.filter((file) => file.path !== null).length,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    seconds: milliseconds / 1_000,
    peakMiB,
  };
}

/**
 * Runs each question on Postgres and on the files: once to warm up, which doesn't count, and then several times in turn. Compares
 * the answers. Times are in milliseconds.
 */
async function askAll(
  { log }: Benchmark,
  { databaseUrl }: Fixture,
  folder: string,
  { questions, runs }: { questions: Question[]; runs: number },
) {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) });
  const duckdb = await instance.connect();
  return await onConnection(databaseUrl, async (client) => {
    await client.query(`set search_path = ${onchainSchema}`);
    const scope = await openLake(duckdb, folder);
    const asked = [];
    for (const question of questions) {
      const postgres: number[] = [];
      const parquet: number[] = [];
      const answers: [AnswerRow[], AnswerRow[]] = [[], []];
      for (let run = 0; run <= runs; run++) {
        [parquet[run], answers[0]] = await timed(() => askLake(duckdb, question));
        [postgres[run], answers[1]] = await timed(() => askPostgres(client, question, scope));
      }
      const all = (times: number[]) => times.map(Math.round).join(", ");
      log(`  ${question}: ${all(postgres)} ms on Postgres, ${all(parquet)} ms on Parquet`);
      asked.push({
        question,
        rows: answers[0].length,
        isEqual: isDeepStrictEqual(...answers),
        postgres: postgres.slice(1),
        parquet: parquet.slice(1),
      });
    }
    return asked;
  }).finally(() => {
    duckdb.closeSync();
    instance.closeSync();
  });
}
