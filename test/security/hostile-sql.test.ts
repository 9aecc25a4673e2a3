import { existsSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { query } from "../../runtime/process/fixtures/query.ts";
import { sqlLimits } from "../../src/api/sql/limits.ts";
import { createUncheckedRun } from "../../src/api/sql/run-statement.ts";
import { createSqlPool } from "../../src/api/sql/session.ts";
import { until } from "../service/condition.ts";
import { testSchema } from "../service/indexer.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";
import { updateViewsOnce } from "../service/views.ts";
import { bombs, refused } from "./hostile-sql/statements.ts";

/* Whatever a client's SQL says, it only reads what the analyst role may read, within its limits, and has no other effect. */

const secrets = {
  signature: "0xhostilesignature",
  address: "203.0.113.77",
  uploader: "hostile-uploader-hash",
};

let shared: SharedService;
let before: unknown;

const ask = async (sql: string) => {
  const response = await fetch(`${shared.service.indexer.url}/sql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql }),
  });
  return { status: response.status, text: await response.text() };
};

async function inParallel(all: string[], workers: number, work: (sql: string) => Promise<void>) {
  const queue = [...all];
  const takeNext = async () => {
    for (let sql = queue.shift(); sql !== undefined; sql = queue.shift()) await work(sql);
  };
  await Promise.all(Array.from({ length: workers }, takeNext));
}

/** The state that no statement may change: objects, privileges, and the service's sessions. */
async function stateOfDatabase() {
  const [row] = await query(
    shared.service.database.adminUrl,
    `select (select json_agg(r order by id) from offchain.registration r) as registrations,
       (select json_agg(r order by key) from offchain.rate_limit r where key like '%203.0.113.77') as clients,
       (select json_agg(t order by address) from onchain.token t) as tokens,
       (select json_agg(format('%s %s %s', oid, relname, relacl) order by oid) from pg_class
         where relkind in ('r', 'v', 'm', 'S') and relpersistence <> 't') as relations,
       (select count(*) from pg_proc) as functions, (select count(*) from pg_trigger) as triggers,
       (select count(*) from pg_largeobject_metadata) as files,
       (select json_agg(r order by rolname) from (select rolname, a.rolsuper, a.rolconnlimit, a.rolpassword, r.rolconfig
         from pg_authid a join pg_roles r using (rolname) where rolname like 'launchpad%') r) as roles`,
  );
  return row;
}

beforeAll(async () => {
  shared = await sharedService();
  const { chain, service } = shared;
  const mint = (await chain.create(chain.traders[0])).toLowerCase();
  await service.indexer.untilIndexed(chain.chainId, await chain.head());
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  await updateViewsOnce(service.database.url);
  await client.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, signature, issued_at)
     select chain_id, address, name, symbol, creator, burn_percent, $2, 1 from onchain.token where address = $1`,
    [mint, secrets.signature],
  );
  await client.query("insert into offchain.rate_limit (key) values ($1)", [`reads:${secrets.address}`]);
  await client.query(
    "insert into offchain.image (cid, mime_type, size, width, height, uploader) values ('hostile', 'image/png', 1, 1, 1, $1)",
    [secrets.uploader],
  );
  await client.end();
  before = await stateOfDatabase();
});

afterAll(async () => {
  const { database } = shared.service;
  await database.query("delete from offchain.registration where signature = $1", [secrets.signature]);
  await database.query("delete from offchain.rate_limit where key = $1", [`reads:${secrets.address}`]);
  await database.query("delete from offchain.image where cid = 'hostile'");
});

const secretText = new RegExp(`${Object.values(secrets).join("|")}|SCRAM-SHA|root:|PostgreSQL configuration`);

/** Expects the service to be as it was, and no secret to be readable. */
async function expectUnharmed(): Promise<void> {
  const { service } = shared;
  expect(await stateOfDatabase()).toEqual(before);
  expect(existsSync("/tmp/launchpad-mine")).toBe(false);
  const health = await fetch(`${service.indexer.url}/api/health`);
  expect([health.status, (await fetch(`${service.indexer.url}/api/tokens`)).status]).toEqual([200, 200]);
  // The pooled sessions carry nothing over to other clients.
  const locks = await query(
    service.database.adminUrl,
    `select l.locktype from pg_locks l join pg_stat_activity a using (pid)
     where a.usename = 'launchpad_sql' and a.datname = current_database() and a.state <> 'active'`,
  );
  expect(locks).toEqual([]);
  const { status, text } = await ask(
    "select current_user, session_user, count(*) from onchain.token where address like '0x%'",
  );
  expect([status, JSON.parse(text).rows[0].slice(0, 2)]).toEqual([200, ["launchpad_sql", "launchpad_sql"]]);
}

test("there are more than 200 statements, all different", () => {
  expect(new Set([...refused, ...bombs]).size).toBe(refused.length + bombs.length);
  expect(refused.length).toBeGreaterThan(200);
});

test("POST /sql refuses each of them, and the service keeps working", async () => {
  const answers: { sql: string; status: number; text: string }[] = [];
  await inParallel(refused, 5, async (sql) => void answers.push({ sql, ...(await ask(sql)) }));
  const accepted = answers.filter(({ status }) => status !== 400);
  expect(accepted.map(({ sql, status, text }) => [sql, status, text.slice(0, 200)])).toEqual([]);
  expect(answers.filter(({ text }) => secretText.test(text))).toEqual([]);
  await expectUnharmed();
});

test("the role and its session hold up on their own, without the check that precedes them", async () => {
  const pool = createSqlPool({ url: shared.service.database.sqlUrl, schema: testSchema, connections: 3 });
  const run = createUncheckedRun(pool, testSchema);
  const never = new AbortController().signal;
  const isBomb = new Set(bombs);
  const found: { sql: string; rows: string }[] = [];
  await inParallel([...refused, ...bombs], 3, async (sql) => {
    const began = performance.now();
    // Most bombs run until their time is up, and a fifth of a second shows that it ends them.
    const limits = { ...sqlLimits, seconds: isBomb.has(sql) ? 0.2 : 1 };
    const { rows } = await run({ text: sql, values: [] }, never, { limits }).catch(() => ({ rows: [] }));
    found.push({ sql, rows: JSON.stringify(rows) });
    // Far below the minutes that they ask for, even on a slow machine.
    const took = performance.now() - began;
    expect([sql, took < 30_000]).toEqual([sql, true]);
  });
  await pool.end();
  expect(found.filter(({ rows }) => secretText.test(rows))).toEqual([]);
  await expectUnharmed();
});

test("excessive statements end within ten seconds, while others are served", async () => {
  const endless = "with recursive a (n) as (select 1 union all select n + 1 from a) select count(*) from a";
  const large =
    "select array_agg(a) from (select array_agg(n) as a from generate_series(1, 100000) n) t, generate_series(1, 1000) m";
  const other = "select count(*) from onchain.token where address like 'none%'";
  const [late, greedy] = await Promise.all([
    ask(endless),
    ask(large),
    // Readers have the lowest priority: on a busy machine its time can be up as well.
    until("another statement's rows", async () => (await ask(other)).text.includes('[["0"]]')),
  ]);
  expect(JSON.parse(late.text)).toMatchObject({ status: 504, code: "query_timeout" });
  // On a busy machine its time is up before it has used its memory.
  expect(["invalid_sql", "query_timeout"]).toContain(JSON.parse(greedy.text).code);
  await expectUnharmed();
});
