import { readFile } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type pg from "pg";

/** The folders beside this file. Each has one question as SQL for each engine, made for large tables. */
export const questions = [
  "top-tokens-by-week",
  "creator-cohorts",
  "early-buyers",
  "trader-retention",
  "price-impact",
] as const;

export type Question = (typeof questions)[number];

/** The files in `questions/`. Each has one text for Postgres and for DuckDB. */
export const sharedQuestions = [
  "active-traders",
  "cohorts",
  "funnel",
  "volume-by-venue",
  "creators",
  "bundles",
  "wash-trading",
  "concentration",
  "profits",
  "snipers",
  "price-impact",
  "survival",
  "liquidity",
  "whales",
  "first-hour",
] as const;

export type SharedQuestion = (typeof sharedQuestions)[number];

/** One chain, up to a Unix time (exclusive): the end of an exported day, so that all engines read the same data. */
export type Scope = { chain: number; until: number };

/** A row as text, which keeps every digit whatever the engine's types. */
export type AnswerRow = Record<string, string | null>;

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

/** Points DuckDB at a lake. Resolves to the scope that its questions cover. */
export async function openLake(duckdb: DuckDBConnection, lake: string): Promise<Scope> {
  await duckdb.run(`set variable lake = '${lake.replaceAll("'", "''")}'`);
  await duckdb.run(await read("duckdb-views.sql"));
  const [row] = await textRows(duckdb, "select getvariable('chain') as chain, getvariable('until') as until");
  if (!row?.chain || !row.until) throw new Error(`${lake} has no trades`);
  return { chain: Number(row.chain), until: Number(row.until) };
}

/** The answer from the Parquet files of the lake that was opened. */
export async function askLake(duckdb: DuckDBConnection, question: Question): Promise<AnswerRow[]> {
  return await textRows(duckdb, await read(`${question}/duckdb.sql`));
}

/** The SQL of a shared question, whose parameters are the chain and the Unix times from and until. */
export const readSharedQuestion = (question: SharedQuestion) => read(`questions/${question}.sql`);

/** Returns a shared question as its file's first lines ask it, the rest of these lines, and the SQL without comments. */
export async function describeSharedQuestion(question: SharedQuestion) {
  const lines = (await readSharedQuestion(question)).split("\n");
  const about = lines
    .filter((line) => line.startsWith("-- ") && !line.startsWith("-- $"))
    .map((line) => line.slice(3))
    .join(" ");
  const end = about.indexOf("?") + 1;
  const sql = lines.filter((line) => !line.startsWith("--")).join("\n");
  return { title: about.slice(0, end), description: about.slice(end).trim(), sql: sql.trim() };
}

/** The answer to a shared question from the lake that was opened, from its first block on. */
export async function askLakeShared(
  duckdb: DuckDBConnection,
  question: SharedQuestion,
  { chain, until }: Scope,
): Promise<AnswerRow[]> {
  await duckdb.run(await read("balance-change.sql"));
  await duckdb.run(await read("launchpad-views.sql"));
  const answer = await duckdb.runAndReadAll(await readSharedQuestion(question), [
    BigInt(chain),
    0n,
    BigInt(until),
  ]);
  return answer.getRowObjects().map(asText);
}

/** Runs a statement of ClickHouse's. Parameters are those of the query (`param_*`), and settings. */
type ClickHouseQuery = (sql: string, parameters?: Record<string, string>) => Promise<string>;

/** Creates the views of {@link askClickHouse}, over the tables of `npm run sink` or, after its views, those of a lake. */
export async function openClickHouseViews(
  query: ClickHouseQuery,
  { database, lake }: { database: string; lake?: string },
): Promise<void> {
  const files = lake === undefined ? "" : await read("clickhouse-lake.sql");
  const views = `${files.replaceAll("'lake/", `'${lake}/`)}${await read("clickhouse-views.sql")}`;
  for (const statement of views.replaceAll(/^--.*\n/gm, "").split(/;\s*/)) {
    if (statement !== "") await query(statement, { database });
  }
}

/** The answer to a shared question from ClickHouse. */
export async function askClickHouse(
  query: ClickHouseQuery,
  question: SharedQuestion,
  { chain, until }: Scope,
): Promise<AnswerRow[]> {
  const answer = await query(`${await read(`questions/clickhouse/${question}.sql`)} format JSONEachRow`, {
    param_chain: String(chain),
    param_from: "0",
    param_until: String(until),
    join_use_nulls: "1",
    final: "1",
    session_timezone: "UTC",
  });
  const lines = answer.split("\n").filter(Boolean);
  return lines.map((line) => asText(JSON.parse(line) as Record<string, unknown>));
}

/** The answer from Postgres, over a connection whose search_path has the on-chain tables. */
export async function askPostgres(
  client: pg.ClientBase,
  question: Question,
  scope: Scope,
): Promise<AnswerRow[]> {
  const text = (await read(`${question}/postgres.sql`)).replaceAll(
    /:(chain|until)\b/g,
    (_, name: keyof Scope) => String(scope[name]),
  );
  const { rows } = await client.query<Record<string, unknown>>(text);
  return rows.map(asText);
}

async function textRows(duckdb: DuckDBConnection, text: string): Promise<AnswerRow[]> {
  return (await duckdb.runAndReadAll(text)).getRowObjects().map(asText);
}

function asText(row: Record<string, unknown>): AnswerRow {
  const cells = Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]);
  return Object.fromEntries(cells);
}
