import { readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBackendWatch } from "../../src/api/sql/backends.ts";
import { functionRules, operatorRules, rowFunctions } from "../../src/api/sql/check/allowed.ts";
import { sqlLimits } from "../../src/api/sql/limits.ts";
import { createUncheckedRun } from "../../src/api/sql/run-statement.ts";
import { createSqlPool } from "../../src/api/sql/session.ts";
import { onlyInLongRun, sized } from "../run/long-run.ts";
import { seed } from "../run/seed.ts";
import { until } from "../service/condition.ts";
import { type OpenDatabase, openDatabase } from "../service/database.ts";
import { testSchema } from "../service/indexer.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";
import { readCallables, statements } from "./hostile-sql/fuzzer.ts";

/* No client's statement goes on after its time is up, or takes more memory than it may: what Postgres can't cancel is refused. */

let shared: SharedService;
/** As the superuser. */
let admin: OpenDatabase;
const applicationName = `${testSchema}_sql`;

type Problem = { code?: string; sqlState?: string; detail?: string };

const ask = async (sql: string, params: unknown[] = []) => {
  const response = await fetch(`${shared.service.indexer.url}/sql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql, params }),
  });
  return { status: response.status, body: (await response.json()) as Problem };
};

/** The service's processes of Postgres for clients' SQL. */
const backends = async (where = "true") =>
  await admin.query<{ pid: number; query: string }>(
    `select pid, query from pg_stat_activity where application_name = '${applicationName}'
       and datname = current_database() and ${where}`,
  );

beforeAll(async () => {
  shared = await sharedService();
  admin = openDatabase(shared.service.database.adminUrl);
});

afterAll(() => admin?.close());

const manyColumns = Array.from({ length: 600 }, (_, index) => `c${index}`).join();

test.each([
  "select strpos(repeat('a',50000000),'b'||repeat('a',25000000)) from token limit 1",
  "select position(name in description) from registrations",
  "select replace(name, symbol, symbol) from tokens",
  "select split_part(name, 'a', 2), string_to_array(name, 'a') from tokens",
  "select '((0,0),(1,1))'::path <-> '((2,2),(3,3))'::path",
  "select translate(name, symbol, name) from tokens",
  "select btrim(name, symbol) from tokens",
  "select array_agg(n) @> array_agg(n) from generate_series(1, 100000) n",
  "select name ~ '(a+)+b' from tokens",
  "select regexp_replace(name, 'a', 'b') from tokens",
  "select substring(name from '(a+)+b') from tokens",
  "select name similar to '(a+)+b' from tokens",
  "select ts_rank(to_tsvector(name), to_tsquery('a')) from tokens",
  "select repeat(name, 1000), lpad(name, 1000000), rpad(name, 1000000), array_fill(1, array[1000]) from tokens",
  "select name::char(1000000000) from tokens",
  "select t.json_agg from tokens t",
  "select xpath('/a', '<a/>')",
  "select * from generate_series(1, 1000000000)",
  // Each level doubles the text, or squares the number, and there are enough levels to fill any memory.
  `${"select a||a as a from (".repeat(24)}select name as a from tokens${") t".repeat(24)}`,
  `${"select a*a as a from (".repeat(60)}select holders::numeric as a from tokens${") t".repeat(60)}`,
  "with recursive r (a) as (select name from tokens union all select a||a from r) select md5(a)||md5(a)||md5(a) from r",
  // Dot notation calls functions.
  "select ('select 1'::text).ts_stat",
  "select q.ts_stat from concat('select 1') q",
  "select (1::int8).pg_advisory_lock",
  "select ('1'::text).xml",
  // A column that follows a growing one some rounds later.
  "with recursive r(a,b,c,d,n) as (select name,name,name,name,1 from tokens union all select a||a,a,b,c,n+1 from r where n<20) select d like '%'||name||'x' from r, tokens where n=20",
  // Quotes are doubled by each row.
  `select ${"row(".repeat(14)}name${")::text".repeat(14)} like '%'||repeated||'x' from tokens, (select string_agg(n::text, '"') as repeated from generate_series(1, 9000) n) t`,
  "select concat_ws(s, '', '', '', '', '', '', '', '') like '%'||s||'x' from (select concat_ws(name, name, name, name) as s from (select string_agg(name, '') as name from tokens) t) u",
  "select array_to_string(array_agg(n), string_agg(n::text, '')) from generate_series(1, 100000) n",
  `select ${Array.from({ length: 700 }, () => "x*x").join()} from (select 9e6_5000+1 as x) t`,
  `select ${Array.from({ length: 700 }, (_, n) => `stddev(x+${n})`).join()} from (select 9e130999+1 as x) t`,
  "select name::bpchar(10000)[] from tokens",
  `select ${Array.from({ length: 100 }, (_, n) => `exp(${5900 + n}.9)`).join()}`,
  `${"with recursive r as (select 1 union all (".repeat(60)}select 1${")) select * from r".repeat(60)}`,
  // A column becomes longer in each round, and each round is looked at.
  `with recursive r (${manyColumns}) as (select ${manyColumns.replaceAll(/\w+/g, "'a'")} union all select c0||'a', ${manyColumns.replace(/,\w+$/, "")} from r) select * from r`,
])("%s is refused before it runs", async (sql) => {
  const { status, body } = await ask(sql);
  expect([status, body.code, body.sqlState]).toEqual([400, "invalid_sql", undefined]);
});

test("a long parameter that is used a thousand times is looked at once", async () => {
  const sql = `select count(*) from (select ${"$1,".repeat(999)}$1) t`;
  // Each exponent makes the number longer that it may be.
  expect((await ask(sql, ["e1".repeat(30_000)])).status).toBe(200);
});

test("random statements leave nothing running two seconds after their answers", async () => {
  const callables = await readCallables(shared.service.database.adminUrl);
  expect(callables.length).toBeGreaterThan(1_500);
  const allowed = new Set([...functionRules.keys(), ...operatorRules.keys()]);
  const statementsToTry = fc.sample(statements(callables, allowed), {
    seed,
    numRuns: sized({ usual: 200, long: 1_000 }),
  });
  const statuses = new Map<number, number>();
  const wrong: unknown[] = [];
  for (const sql of statementsToTry) {
    const { status, body } = await ask(sql, sql.includes("$1") ? ["a".repeat(20_000)] : []);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (![200, 400, 413, 504].includes(status)) wrong.push([sql, status, body]);
    const answeredAt = performance.now();
    while ((await backends("state = 'active'")).length > 0) {
      // Its process has the lowest priority: on a busy machine it may come to look only seconds later.
      if (performance.now() - answeredAt < sized({ usual: 20_000, long: 2_000 })) continue;
      wrong.push([sql, "goes on"]);
      await until("its end", async () => (await backends("state = 'active'")).length === 0, 120_000);
    }
  }
  expect(wrong).toEqual([]);
  // Enough of them reach Postgres.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(statementsToTry.length / 20);
});

test("docs/analysts.md lists every function that can be called", () => {
  const page = readFileSync(new URL("../../docs/analysts.md", import.meta.url), "utf8");
  const names = [...functionRules.keys()].filter((name) => name !== "seconds");
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("functions that Postgres calls for row.name are known", async () => {
  const found = await admin.query<{ name: string }>(
    `select distinct proname as name from pg_proc where pronamespace = 'pg_catalog'::regnamespace and pronargs = 1
       and proargtypes[0]::regtype::text in ('record', 'anyelement', 'anycompatible', '"any"', 'anynonarray', 'anycompatiblenonarray')
       and prorettype::regtype::text in ('text', 'json', 'jsonb', 'anyarray', 'anycompatiblearray', 'xml', 'internal', 'cstring', 'bytea')
       and prokind in ('f', 'a')`,
  );
  expect(
    found.map(({ name }) => name).filter((name) => !rowFunctions.has(name) && !functionRules.has(name)),
  ).toEqual([]);
});

test("its processes have the lowest priority and a limit of memory", async () => {
  expect((await ask("select 1")).status).toBe(200);
  // The last one used. Others may have served only requests that were refused before any statement ran.
  const [found] = await backends("query = 'rollback' order by state_change desc");
  const { pid } = found as { pid: number };
  expect(getPriority(pid)).toBe(19);
  expect(readFileSync(`/proc/${pid}/limits`, "utf8")).toMatch(
    new RegExp(`Max data size +${sqlLimits.memoryBytes} `),
  );
});

/** Gives a pool's only session the usual priority, where that is permitted: the lowest has next to no time on a busy machine. */
async function hurry(run: ReturnType<typeof createUncheckedRun>): Promise<void> {
  const { rows } = await run({ text: "select pg_backend_pid()", values: [] }, new AbortController().signal);
  try {
    setPriority(Number(rows[0]?.[0]), 0);
  } catch {
    // Only root may raise it again.
  }
}

test("a statement that needs more memory fails, and its process never has it", async () => {
  const pool = createSqlPool({ url: shared.service.database.sqlUrl, schema: testSchema, connections: 1 });
  const run = createUncheckedRun(pool, testSchema);
  const never = new AbortController().signal;
  const greedy = "select length(array_to_string(array_fill('aaaaaaaaaa'::text, array[10000000]), ''))";
  await hurry(run);
  // On a busy machine its process takes long to use its memory.
  const limits = { ...sqlLimits, seconds: 500 };
  await expect(run({ text: greedy, values: [] }, never, { limits })).rejects.toMatchObject({
    problem: { code: "invalid_sql", sqlState: "53200" },
  });
  const { rows } = await run({ text: "select pg_backend_pid()", values: [] }, never);
  const [, most] = readFileSync(`/proc/${rows[0]?.[0]}/status`, "utf8").match(/VmHWM:\s+(\d+) kB/) ?? [];
  // With the memory that all processes share.
  expect(Number(most) * 1_024).toBeLessThan(2 * sqlLimits.memoryBytes);
  await pool.end();
});

test("a statement that Postgres can't cancel keeps its slot until its process has ended", async () => {
  const options = { url: shared.service.database.sqlUrl, schema: testSchema, connections: 1 };
  const [pool, watchPool] = [createSqlPool(options), createSqlPool(options)];
  const run = createUncheckedRun(pool, testSchema);
  const { untilEnded } = createBackendWatch(watchPool);
  await hurry(run);
  let ended: Promise<void> | undefined;
  const rows = run({ text: "select pg_sleep(3600)", values: [] }, new AbortController().signal, {
    // On a busy machine it takes seconds until its process sleeps.
    limits: { ...sqlLimits, seconds: 25 },
    onCut: (backend) => {
      ended = untilEnded(backend);
    },
  }).catch((error: unknown) => error);
  const running = async () => await backends("wait_event = 'PgSleep'");
  await until("the statement to run", async () => (await running()).length > 0);
  // A process that is stopped can't be cancelled, like one in a function that never looks.
  const [{ pid } = { pid: -1 }] = await running();
  process.kill(pid, "SIGSTOP");
  try {
    expect(await rows).toMatchObject({ problem: { code: "query_timeout" } });
    expect([(await running()).length, ended]).toEqual([1, expect.any(Promise)]);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await ended;
  expect(await running()).toEqual([]);
  await Promise.all([pool.end(), watchPool.end()]);
});

/** Begins a statement that no limit ends, as the role for clients' statements; resolves to its process and its outcome. */
async function beginRunaway(connectionString: string) {
  const client = new pg.Client({ connectionString, application_name: applicationName });
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const asleep = client.query("set statement_timeout = 0; select pg_sleep(3600)").catch(() => "cancelled");
  return { client, pid: rows[0].pid as number, asleep };
}

onlyInLongRun(() => {
  test("/sql doesn't wait for a statement that goes on in another database of the same server", async () => {
    const { sqlUrl } = shared.service.database;
    const otherDatabase = `${new URL(sqlUrl).pathname.slice(1)}_other`;
    await admin.query(`create database "${otherDatabase}"`);
    const foreign = await beginRunaway(Object.assign(new URL(sqlUrl), { pathname: otherDatabase }).href);
    // Later than that, one of this database stops /sql.
    await until("the statement to be late", async () => {
      const late = await admin.query(
        `select from pg_stat_activity where pid = ${foreign.pid} and query_start < clock_timestamp() - interval '${sqlLimits.seconds + 6} s'`,
      );
      return late.length === 1;
    });
    expect((await ask("select 1")).status).toBe(200);
    await admin.query(`select pg_cancel_backend(${foreign.pid})`);
    expect(await foreign.asleep).toBe("cancelled");
    await foreign.client.end();
    await admin.query(`drop database "${otherDatabase}" with (force)`);
  });
});

test("/sql waits while a statement goes on after its time", async () => {
  const { sqlUrl } = shared.service.database;
  const { client: runaway, pid, asleep } = await beginRunaway(sqlUrl);
  await until("/sql to notice", async () => (await ask("select 1")).status === 503, 60_000);
  const { status, body } = await ask("select 1");
  expect([status, body.code, body.detail]).toEqual([
    503,
    "sql_unavailable",
    expect.stringContaining("can't be stopped"),
  ]);
  await admin.query(`select pg_cancel_backend(${pid})`);
  expect(await asleep).toBe("cancelled");
  await runaway.end();
  await until("/sql to go on", async () => (await ask("select 1")).status === 200);
});
