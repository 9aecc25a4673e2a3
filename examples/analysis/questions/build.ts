import { mkdir, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { readSharedQuestion, type SharedQuestion, sharedQuestions } from "../questions.ts";

/* Writes the questions in the words of ClickHouse and Spark, from the texts that Postgres and DuckDB share. */

export const otherEngines = ["clickhouse", "spark"] as const;

type Engine = (typeof otherEngines)[number];

const median = /percentile_disc\(([\d.]+)\) within group \(order by ([\w -]+)\)/g;
const ages = "generate_series(0, 30) as ages (age)";

/** What only helps Postgres's planner. */
const inAllOthers: [from: RegExp, to: string][] = [
  [/= any\(array\((.+?)\)\)/g, "in ($1)"],
  [/ as materialized \(/g, " as ("],
];

const words: Record<Engine, [from: string | RegExp, to: string][]> = {
  clickhouse: [
    ...inAllOthers,
    ["$1", "{chain:Int32}"],
    ["$2", "{from:Int64}"],
    ["$3", "{until:Int64}"],
    ["to_timestamp(", "fromUnixTimestamp("],
    // Otherwise a null is an error.
    ["as double precision", "as Nullable(Float64)"],
    // Of its own quantiles none picks the same value.
    [median, "if(count($2) = 0, null, arraySort(groupArray($2))[toUInt32(ceil($1 * count($2)))])"],
    [ages, "(select arrayJoin(range(31)) as age) as ages"],
  ],
  spark: [
    ...inAllOthers,
    ["$1", "$${chain}"],
    ["$2", "$${from}"],
    ["$3", "$${until}"],
    ["to_timestamp(", "timestamp_seconds("],
    ["as double precision", "as double"],
    [ages, "range(0, 31) as ages (age)"],
  ],
};

const parameters = "-- $1 chain, $2 and $3 Unix times: from (inclusive) and until (exclusive)";
const usage: Record<Engine, string> = {
  clickhouse:
    "-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with\n-- --join_use_nulls 1 --final 1 --session_timezone UTC",
  spark:
    "-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark",
};

export async function translateQuestion(question: SharedQuestion, engine: Engine): Promise<string> {
  const [head, sql] = (await readSharedQuestion(question)).split(`${parameters}\n`);
  if (sql === undefined) throw new Error(`${question} has no line about its parameters`);
  const translated = words[engine].reduce((text, [from, to]) => text.replaceAll(from, to), sql);
  const origin = `-- Written by npm run analysis:engines from ../${question}.sql: edit that one.`;
  return `${head}${usage[engine]}\n${origin}\n${translated}`;
}

if (pathToFileURL(process.argv[1] ?? "").href === import.meta.url) {
  for (const engine of otherEngines) {
    const folder = new URL(`${engine}/`, import.meta.url);
    await mkdir(folder, { recursive: true });
    for (const question of sharedQuestions) {
      await writeFile(new URL(`${question}.sql`, folder), await translateQuestion(question, engine));
    }
  }
}
