import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { query } from "../../test/service/graphql.ts";
import { fixtureFlags, openFixture } from "../fixture/fixture.ts";
import { runBenchmark } from "../shared/benchmark.ts";
import { withClient } from "../shared/database.ts";
import { runLoad } from "../shared/load.ts";
import { text, whole } from "../shared/options.ts";
import { startService } from "../shared/ponder.ts";
import { count, formatMs, met, type Summary, tableOf } from "../shared/report.ts";
import { chooseSubjects, type Question, type QuestionInput, questions } from "./questions.ts";

/* Measures what GraphQL costs beside the same questions in handwritten SQL. */

/** The median of a query may be this multiple of that of its SQL, plus these milliseconds. */
const aim = { times: 3, milliseconds: 2 };
/** A table with this many rows counts as large. */
const minLargeRows = 10_000;
/** Postgres publishes the statistics of an idle connection after ten seconds. */
const statisticsDelayMs = 11_000;

const flags = {
  ...fixtureFlags(1_000_000, 10_000_000),
  inFlight: whole(4),
  seconds: whole(5),
  warmUp: whole(1),
  /** Only questions whose names contain this text are asked. */
  only: text,
  profile: text,
};

await runBenchmark(flags, async (options, benchmark) => {
  const { tokens, trades, inFlight, seconds, warmUp, only = "", profile } = options;
  const fixture = await openFixture(benchmark, options);
  const { databaseUrl } = fixture;
  const { url } = await startService(benchmark, { ...fixture, profile });
  const load = { inFlight, seconds, warmUp };

  return await withClient(databaseUrl, async (client) => {
    const subjects = await chooseSubjects(client, url, options);
    const asked = [];
    for (const question of questions.filter(({ name }) => name.includes(only))) {
      const inputs = question.asked(subjects);
      asked.push({ ...question, inputs, verified: await verify(client, url, question, inputs) });
    }

    const before = await countTableScans(client);
    const ofGraphql: Summary[] = [];
    for (const { name, graphql, inputs } of asked) {
      benchmark.log(`GraphQL: ${name}`);
      const requests = inputs.map(({ variables }) => ({
        group: name,
        path: "/graphql",
        body: JSON.stringify({ query: graphql, variables }),
      }));
      ofGraphql.push((await runLoad(benchmark, { kind: "http", url, requests, ...load })).times);
    }
    const scans = [...(await countTableScans(client))]
      .map(([table, times]) => ({ table, times: times - (before.get(table) ?? 0) }))
      .filter(({ times }) => times > 0);
    const ofSql: Summary[] = [];
    for (const { name, sql, inputs } of asked) {
      benchmark.log(`SQL: ${name}`);
      const requests = inputs.map(({ values }) => ({ group: name, text: sql, values }));
      ofSql.push((await runLoad(benchmark, { kind: "sql", url: databaseUrl, requests, ...load })).times);
    }
    const outcomes = asked.map(({ name, verified }, index) => ({
      name,
      verified,
      ofGraphql: ofGraphql[index] as Summary,
      ofSql: ofSql[index] as Summary,
    }));
    return {
      lines: [
        `${count(tokens)} registered tokens, ${count(trades)} trades, ${inFlight} in flight, ${seconds} s for each cell; ms`,
        "",
        ...tableOf(
          outcomes.map(({ name, ofGraphql, ofSql }) => {
            const allowed = aim.times * ofSql.median + aim.milliseconds;
            return {
              question: name,
              GraphQL: formatMs(ofGraphql.median),
              "its p99": formatMs(ofGraphql.p99),
              SQL: formatMs(ofSql.median),
              "SQL's p99": formatMs(ofSql.p99),
              allowed: formatMs(allowed),
              aim: met(ofGraphql.median <= allowed),
            };
          }),
        ),
        "",
        scans.length === 0
          ? "No large table was read from end to end."
          : `Read from end to end: ${scans.map(({ table, times }) => `${table} (${times} times)`).join(", ")}`,
      ],
      data: { outcomes, scans },
    };
  });
});

/** Compares every answer with that of the SQL. Throws if they differ. Returns the number of rows, of which there must be any. */
async function verify(
  client: pg.Client,
  url: string,
  { name, graphql, answer, sql }: Question,
  inputs: QuestionInput[],
): Promise<number> {
  let compared = 0;
  for (const { variables, values } of inputs) {
    const answered = rowsOf(await query(url, graphql, variables), answer);
    const { rows } = await client.query({ text: sql, values });
    const expected = JSON.parse(JSON.stringify(rows)) as unknown[];
    const different = expected.findIndex((row, index) => !isDeepStrictEqual(row, answered[index]));
    if (different !== -1 || answered.length !== expected.length) {
      const at = Math.max(0, different);
      throw new Error(
        `"${name}" of ${JSON.stringify(variables)}: row ${at} is ${JSON.stringify(answered[at])} in GraphQL, ${JSON.stringify(expected[at])} in SQL`,
      );
    }
    compared += expected.length;
  }
  if (compared === 0) throw new Error(`"${name}" found nothing`);
  return compared;
}

function rowsOf(data: unknown, path: string): unknown[] {
  let value = data;
  for (const field of path.split(".")) value = (value as Record<string, unknown> | null)?.[field];
  if (!Array.isArray(value)) throw new Error(`no rows at ${path} in ${JSON.stringify(data)}`);
  return value;
}

/** Counts the complete scans of each large table so far, by all sessions. */
async function countTableScans(client: pg.Client): Promise<Map<string, number>> {
  await delay(statisticsDelayMs);
  const { rows } = await client.query<{ table: string; scans: string }>(
    `select schemaname || '.' || relname as table, seq_scan as scans from pg_stat_user_tables
     where schemaname in ('onchain', 'offchain') and n_live_tup >= $1`,
    [minLargeRows],
  );
  return new Map(rows.map(({ table, scans }) => [table, Number(scans)]));
}
