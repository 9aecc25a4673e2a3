import { readFile } from "node:fs/promises";
import pg from "pg";
import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { inTransaction, onConnection } from "../../offchain/connection.ts";
import { views } from "../../runtime/ponder/views/create-views.ts";
import { prepareViews, switchViews } from "../../runtime/ponder/views/switch-views.ts";
import { query } from "../../runtime/process/fixtures/query.ts";
import { candleIntervals } from "../reference-market/expected-candles.ts";
import { onlyInLongRun } from "../run/long-run.ts";
import { until } from "../service/condition.ts";
import type { TestDatabase } from "../service/database.ts";
import { testSchema } from "../service/indexer.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";
import { updateViewsOnce } from "../service/views.ts";

/* What analysts use: the views, and SQL over HTTP. */

let shared: SharedService;
let rest: RestClient;
let mint: Address;

const runSql = async (text: string, params: unknown[] = []) => {
  const { status, body } = await rest.sql(text, params);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body as { columns: { name: string; type: string }[]; rows: unknown[][]; truncated: boolean };
};
/** Queries as the analyst role, without HTTP. */
const queryAsAnalyst = <Row extends object>(text: string) =>
  query<Row>(shared.service.database.analystUrl, text);

beforeAll(async () => {
  shared = await sharedService();
  const { chain, service } = shared;
  const [creator, buyer, other] = chain.traders;
  mint = (await chain.create(creator, "Analysed", "ANA")).toLowerCase() as Address;
  await chain.buy(buyer, mint, 3n * 10n ** 15n + 1n);
  await chain.buy(other, mint, 2n * 10n ** 15n);
  await chain.sell(buyer, mint, 10n ** 24n + 7n);
  await chain.buy(other, mint, 10n ** 17n);
  await service.indexer.untilIndexed(chain.chainId, await chain.head());
  rest = await createRestClient(service.indexer.url);
  await updateViewsOnce(service.database.url);
  await rest.post("/api/tokens", {
    mint,
    name: "Analysed",
    symbol: "ANA",
    creator,
    burnPercent: 50,
    description: "of tests",
  });
});

test("every view and column has a comment, and the analyst role can read them", async () => {
  const found = await queryAsAnalyst<{
    view: string;
    column: string;
    comment: string | null;
    about: string | null;
  }>(
    `select relname as view, attname as column, col_description(pg_class.oid, attnum) as comment,
       obj_description(pg_class.oid, 'pg_class') as about
     from pg_class join pg_attribute on attrelid = pg_class.oid where relnamespace = 'launchpad'::regnamespace and attnum > 0`,
  );
  expect(new Set(found.map(({ view }) => view))).toEqual(new Set(views.map(({ name }) => name)));
  expect(found.filter(({ comment, about }) => !comment || !about)).toEqual([]);
  for (const { name } of views) await queryAsAnalyst(`select * from launchpad.${name} limit 3`);
});

onlyInLongRun(() => {
  test("the data tests in dbt's declaration of the views find nothing", async () => {
    const text = await readFile(new URL("../../examples/analysis/dbt/sources.yml", import.meta.url), "utf8");
    type DataTest = string | { relationships?: { to: string; field: string } };
    type Table = {
      name: string;
      data_tests?: { [test: string]: { combination_of_columns: string[] } }[];
      columns: { name: string; data_tests?: DataTest[] }[];
    };
    const { tables } = parse(text).sources[0] as { tables: Table[] };
    const checks = tables.flatMap(({ name, data_tests = [], columns }) => [
      ...data_tests
        .flatMap(Object.values)
        .map(({ combination_of_columns: key }) => repeats(name, key.join())),
      ...columns.flatMap(({ name: column, data_tests: tests = [] }) =>
        tests.map((dataTest) => {
          if (dataTest === "unique") return repeats(name, column);
          if (dataTest === "not_null") return `select from launchpad.${name} where ${column} is null`;
          const { to = "", field } = (dataTest as Exclude<DataTest, string>).relationships ?? {};
          const other = /, '(\w+)'/.exec(to)?.[1];
          return `select from launchpad.${name} where ${column} is not null and ${column} not in (select ${field} from launchpad.${other})`;
        }),
      ),
    ]);
    expect(checks.length).toBeGreaterThan(50);
    for (const check of checks) expect(await queryAsAnalyst(`${check} limit 1`), check).toEqual([]);
  });
});

const repeats = (view: string, key: string) =>
  `select from launchpad.${view} group by ${key} having count(*) > 1`;

test("the columns that are computed from other tables equal what those have", async () => {
  const [graduation] = await queryAsAnalyst<Record<string, unknown>>(
    `select g.block = t.block and g.tx = t.tx as with_its_trade, g.liquidity_bnb > 0 as has_liquidity
     from launchpad.graduations g join launchpad.trades t using (chain_id, mint, tx) where mint = '${mint}'`,
  );
  expect(graduation).toEqual({ with_its_trade: true, has_liquidity: true });
  // The first trade began where the curve opened, and each other one where the one before it ended.
  const trades = await queryAsAnalyst<{ before: string; after: string; opening: string }>(
    `select price_before_bnb as before, price_after_bnb as after, opening_price_bnb as opening
     from launchpad.trades join launchpad.curves using (chain_id, mint) where mint = '${mint}' order by id`,
  );
  expect(trades.map(({ before }) => before)).toEqual([
    trades[0]?.opening,
    ...trades.slice(0, -1).map(({ after }) => after),
  ]);
  const [spent] = await queryAsAnalyst<Record<string, unknown>>(
    `select bool_and(e.bnb_spent = x.bnb and e.first_buy_timestamp = x.at) as same, count(*)::int as buyers
     from launchpad.early_buyers e join (
       select mint, trader, sum(bnb_amount) as bnb, min(timestamp) as at from launchpad.trades t
       join launchpad.curves c using (chain_id, mint) where side = 'buy' and t.block <= c.opened_block + 2 group by 1, 2
     ) x on x.mint = e.mint and x.trader = e.account where e.mint = '${mint}'`,
  );
  expect(spent).toEqual({ same: true, buyers: 2 });
  const { body } = await rest.get(`/api/token/${mint}`);
  const [token] = await queryAsAnalyst<Record<string, string>>(
    `select effective_holders, holder_count, trim_scale(market_cap_bnb)::text as market_cap_bnb
     from launchpad.tokens join launchpad.curves using (chain_id, mint) where mint = '${mint}'`,
  );
  expect(Number(token?.effective_holders)).toBe(body.risk.effectiveHolders);
  expect(token?.holder_count).toBe(body.holderCount);
  expect(token?.market_cap_bnb).toBe(body.marketCapBnb);
});

test("amounts equal those of the tables to the last digit, and times are timestamps", async () => {
  const compared = await queryAsAnalyst<{ exact: boolean; timely: boolean }>(
    `select v.bnb_amount * 1e18 = t.bnb_amount_wei and v.token_amount * 1e18 = t.token_amount_raw
         and v.price_bnb * 1e36 = t.price_bnb_x36 and v.amount_usd is not distinct from v.usd_amount as exact,
       extract(epoch from v.time) = t.timestamp and v.timestamp = launchpad.seconds(v.time) as timely
     from launchpad.trades v join onchain.trade t using (chain_id, id) where mint = '${mint}'`,
  );
  expect(compared).toHaveLength(4);
  expect(compared.every(({ exact, timely }) => exact && timely)).toBe(true);
  const { rows } = await runSql(
    "select side, bnb_amount, venue, time from trades where chain_id = 56 and mint = $1 order by id limit 1",
    [mint],
  );
  expect(rows).toEqual([
    ["buy", "0.003000000000000001", "curve", expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)],
  ]);
});

test.each(candleIntervals)("%s candles equal those of REST", async (interval) => {
  const { rows } = await runSql(
    `select open_timestamp::int4, open_bnb, high_bnb, low_bnb, close_bnb, volume_bnb, trades from candles
     where chain_id = 56 and mint = $1 and interval = $2 order by open_timestamp`,
    [mint, interval],
  );
  const { body } = await rest.get(`/api/token/${mint}/candles?interval=${interval}`);
  const names = ["openBnb", "highBnb", "lowBnb", "closeBnb", "volumeBnb", "trades"];
  const inRest = body.candles
    .filter(({ trades }: { trades: number }) => trades > 0)
    .map((candle: Record<string, unknown>) => [candle.time, ...names.map((name) => Number(candle[name]))]);
  expect(inRest.length).toBeGreaterThan(0);
  expect(rows.map(([at, ...values]) => [at, ...values.map(Number)])).toEqual(inRest);
});

test("daily totals are the sums of each day's trades, creations and graduations", async () => {
  const days = await queryAsAnalyst<Record<string, unknown>>(
    `select day_timestamp, buys, sells, volume_bnb, traders, tokens_created, graduations from launchpad.daily_totals
     where chain_id = 56 order by 1`,
  );
  const summed = await queryAsAnalyst(
    `select timestamp - timestamp % 86400 as day_timestamp, (count(*) filter (where side = 'buy'))::int as buys,
       (count(*) filter (where side = 'sell'))::int as sells, sum(bnb_amount) as volume_bnb, count(distinct trader) as traders
     from launchpad.trades where chain_id = 56 group by 1 order by 1`,
  );
  expect(days.filter(({ buys, sells }) => Number(buys) + Number(sells) > 0)).toMatchObject(summed);
  const sum = (name: string) => days.reduce((total, day) => total + Number(day[name]), 0);
  const [totals] = await queryAsAnalyst<Record<string, unknown>>(
    "select tokens, graduated from launchpad.totals",
  );
  expect([sum("tokens_created"), sum("graduations")]).toEqual([totals?.tokens, totals?.graduated]);
});

test("rows that differ from those of an earlier block have changed since, by changed_timestamp", async () => {
  const followed = views.filter(({ columns }) => "changed_timestamp" in columns);
  expect(followed.map(({ name }) => name).sort()).toEqual(
    ["accounts", "curves", "holders", "pairs", "positions", "tokens"].sort(),
  );
  const read = () =>
    onConnection(shared.service.database.analystUrl, async (client) => {
      await client.query("begin isolation level repeatable read");
      const { rows: at } = await client.query("select indexed_timestamp as time from launchpad.chains");
      const rows: [string, { key: string; changed_timestamp: string; row: string }[]][] = [];
      for (const { name, key = [] } of followed) {
        const text = `select concat_ws(' ', ${key.join()}) as key, changed_timestamp, to_jsonb(v)::text as row from launchpad.${name} v`;
        rows.push([name, (await client.query(text)).rows]);
      }
      return { time: Number(at[0].time), rows };
    });
  const before = await read();
  const { chain, service } = shared;
  const [creator, buyer, other] = chain.traders;
  const another = await chain.create(creator, "Followed", "FOL");
  await chain.buy(buyer, another, 10n ** 15n);
  // Changes of balances alone, and of the pair of a graduated token.
  await chain.transfer(buyer, mint, other, 7n);
  await chain.addLiquidity(other, mint, 10n ** 20n, 10n ** 14n);
  await service.indexer.untilIndexed(chain.chainId, await chain.head());
  const after = await read();
  for (const [index, [name, rows]] of after.rows.entries()) {
    const earlier = new Map(before.rows[index]?.[1].map(({ key, row }) => [key, row]));
    const isSame = (row: (typeof rows)[number]) => earlier.get(row.key) === row.row;
    const unchanged = rows.filter((row) => Number(row.changed_timestamp) < before.time);
    expect(
      unchanged.filter((row) => !isSame(row)),
      name,
    ).toEqual([]);
    expect([name, rows.filter((row) => !isSame(row)).length > 0]).toEqual([name, true]);
  }
});

test("registrations show what the API shows of them, and nothing else can be read", async () => {
  expect(
    await queryAsAnalyst(
      `select name, description, verified from launchpad.registrations where mint = '${mint}'`,
    ),
  ).toEqual([{ name: "Analysed", description: "of tests", verified: false }]);
  expect(
    await queryAsAnalyst(`select mint, description from offchain.registration where mint = '${mint}'`),
  ).toHaveLength(1);
  for (const column of ["signature", "issued_at", "registered_by", "*"]) {
    await expect(queryAsAnalyst(`select ${column} from offchain.registration`)).rejects.toMatchObject({
      code: "42501",
    });
  }
});

test("an answer lists its columns with their types, and says whether it was truncated", async () => {
  expect(
    await runSql(
      "select 1 as a, 2::int8 as b, 'x' as a, array[1] as c, $1::int4 + 1 as d, null as e, 'NaN'::float8",
      [4],
    ),
  ).toEqual({
    columns: [
      { name: "a", type: "int4" },
      { name: "b", type: "int8" },
      { name: "a", type: "text" },
      { name: "c", type: "int4[]" },
      { name: "d", type: "int4" },
      { name: "e", type: "text" },
      { name: "float8", type: "float8" },
    ],
    rows: [[1, "2", "x", [1], 5, null, "NaN"]],
    truncated: false,
  });
  expect((await runSql("select from generate_series(1, 3)")).rows).toEqual([[], [], []]);
  const many = await runSql("select * from generate_series(1, 10001)");
  expect([many.rows.length, many.truncated]).toEqual([10_000, true]);
  const all = await runSql("select * from generate_series(1, 10000)");
  expect([all.rows.length, all.truncated]).toEqual([10_000, false]);
});

test("lists are lists, and a name in a text may begin with pg_", async () => {
  const { columns, rows } = await runSql(
    `select array[1, null], array['a,"b', ''], array[1::int8, 2], array[1.50::numeric], array[true],
       array['2026-01-02 03:04:05+00'::timestamptz], '2026-01-02 03:04:05.5'::timestamp, array_agg(n), 'pg_x' from generate_series(1, 2) n`,
  );
  expect(columns.map(({ type }) => type)).toEqual([
    ...["int4[]", "text[]", "int8[]", "numeric[]", "bool[]", "timestamptz[]", "timestamp", "int4[]", "text"],
  ]);
  const times = [["2026-01-02T03:04:05Z"], "2026-01-02T03:04:05.5"];
  expect(rows).toEqual([[[1, null], ['a,"b', ""], ["1", "2"], ["1.50"], [true], ...times, [1, 2], "pg_x"]]);
});

test("rows come as CSV or as lines of JSON to who asks for them", async () => {
  const ask = async (accept: string, sql: string) => {
    const answer = await fetch(`${shared.service.indexer.url}/sql`, {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify({ sql }),
    });
    const { headers } = answer;
    return [answer.status, headers.get("content-type"), headers.get("x-truncated"), await answer.text()];
  };
  const values = `select * from (values (1, 'a "b"', null), (2, '', array['x'])) v (n, "the text", list)`;
  expect(await ask("text/csv", values)).toEqual([
    ...[200, "text/csv; charset=utf-8", "false"],
    'n,the text,list\r\n1,"a ""b""",\r\n2,"","[""x""]"\r\n',
  ]);
  expect(await ask("application/x-ndjson", values)).toEqual([
    ...[200, "application/x-ndjson", "false"],
    '{"n":1,"the text":"a \\"b\\"","list":null}\n{"n":2,"the text":"","list":["x"]}\n',
  ]);
  const many = await ask("text/csv", "select n from generate_series(1, 10001) n");
  expect([many[2], String(many[3]).split("\r\n").length]).toEqual(["true", 10_002]);
  expect((await ask("text/html", "select 1 as n"))[1]).toBe("application/json");
  const twice = await ask("application/x-ndjson", "select 1 as n, 2 as n");
  expect([twice[0], twice[3]]).toEqual([400, expect.stringContaining("Two columns are called n")]);
});

test("explain shows the plan of a query, and runs nothing", async () => {
  const { columns, rows } = await runSql("explain select * from trades where mint = $1", [mint]);
  expect(columns).toEqual([{ name: "QUERY PLAN", type: "text" }]);
  expect(rows.flat().join()).toMatch(/cost=/);
  const refused = await rest.sql("explain analyze select 1");
  expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining("no options")]);
  const wrong = await rest.sql("explain select nothing from trades");
  expect(wrong.body).toMatchObject({ code: "invalid_sql", position: 16 });
});

test("an error in a statement is reported in Postgres's words, with its position", async () => {
  const { status, body } = await rest.sql("select nothing from trades");
  expect([status, body]).toEqual([
    400,
    expect.objectContaining({
      code: "invalid_sql",
      detail: 'column "nothing" does not exist',
      sqlState: "42703",
      position: 8,
    }),
  ]);
  const lacking = await rest.sql("select $1::int8 + $2::int8", [1]);
  expect([lacking.status, lacking.body.detail]).toEqual([
    400,
    "params has 1 values, and the statement wants 2: give one for each of $1 and so on.",
  ]);
  const large = await rest.sql("select $1::text from generate_series(1, 1000)", ["x".repeat(50_000)]);
  expect([large.status, large.body.code]).toEqual([400, "answer_too_large"]);
});

test("a parameter that JSON rounds, or that is no value, is refused, with what to do", async () => {
  for (const value of [2 ** 53, -1e18, [1, 2], { a: 1 }]) {
    const { status, body } = await rest.sql("select $1::text", [value]);
    expect([status, body.code, body.detail], String(value)).toEqual([
      400,
      "invalid_request",
      expect.stringMatching(
        /^params\.0 must be a text, a boolean, null, or a number up to 9007199254740991: /,
      ),
    ]);
  }
  const { rows } = await runSql("select $1::int8, $2::int8, $3::int[]", [
    2 ** 53 - 1,
    "9223372036854775807",
    "{1,2}",
  ]);
  expect(rows).toEqual([["9007199254740991", "9223372036854775807", [1, 2]]]);
});

test("a statement is cancelled when its client disconnects", async () => {
  const leaving = new AbortController();
  const text =
    "with recursive left_alone (n) as (select 1 union all select n + 1 from left_alone) select max(n) from left_alone";
  const asked = fetch(`${shared.service.indexer.url}/sql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql: text }),
    signal: leaving.signal,
  }).catch(() => "left");
  const isRunning = async () =>
    (
      await query(
        shared.service.database.adminUrl,
        `select from pg_stat_activity where datname = current_database() and usename = 'launchpad_sql'
           and state = 'active' and application_name = 'onchain_sql'`,
      )
    ).length > 0;
  await until("the statement to run", isRunning);
  leaving.abort();
  expect(await asked).toBe("left");
  // Long before its time limit of ten seconds.
  await until("the statement to end", async () => !(await isRunning()), 9_000);
});

test("the routes for @ponder/client answer 410, and name what replaces them", async () => {
  for (const path of ["/sql/db?sql=x", "/sql/live?sql=x"]) {
    const { status, body } = await rest.get(path);
    expect([status, body.code, body.detail]).toEqual([
      410,
      "route_gone",
      expect.stringContaining("POST /sql"),
    ]);
  }
});

test("the manifest lists the SQL endpoint", async () => {
  const { body } = await rest.get("/api");
  expect(body.endpoints.map(({ path }: { path: string }) => path)).toEqual(expect.arrayContaining(["/sql"]));
});

/** Creates a second index beside the first, with all tables, most of them empty. */
async function createSecondIndex(database: TestDatabase): Promise<void> {
  await database.query(`do $$
    declare name text;
    begin
      create schema onchain_2;
      for name in select relname from pg_class where relnamespace = 'onchain'::regnamespace and relkind = 'r' loop
        execute format('create table onchain_2.%I (like onchain.%I including all)', name, name);
      end loop;
      create view onchain_2.active_token as select * from onchain.active_token limit 0;
      insert into onchain_2._ponder_meta select * from onchain._ponder_meta;
      update onchain_2._ponder_meta set value = jsonb_set(value::jsonb, '{is_ready}', '0') where key = 'app';
    end $$`);
}

test("views are recreated after Ponder drops its tables, and move to a newer index once it is ready", async () => {
  const { database } = shared.service;
  const over = async () =>
    (
      await database.query<{ over: string }>(
        "select obj_description('launchpad'::regnamespace, 'pg_namespace') as over",
      )
    )[0]?.over;
  expect(await updateViewsOnce(database.url)).toBe("");
  await database.query("drop view launchpad.trades, launchpad.candles");
  expect(await updateViewsOnce(database.url)).toBe(
    `The views for analysts are over the schema ${testSchema}.`,
  );

  await createSecondIndex(database);
  try {
    expect(await updateViewsOnce(database.url, "onchain_2")).toBe("");
    await database.query(
      `update onchain_2._ponder_meta set value = jsonb_set(jsonb_set(value::jsonb, '{is_ready}', '1'), '{heartbeat_at}',
         to_jsonb(extract(epoch from now()) * 1000)) where key = 'app'`,
    );
    expect(await updateViewsOnce(database.url, "onchain_2")).toBe(
      "The views for analysts are over the schema onchain_2.",
    );
    expect(await queryAsAnalyst("select * from launchpad.trades")).toEqual([]);
    // The older index doesn't take them back while the newer one is alive.
    expect(await updateViewsOnce(database.url)).toBe("");
    expect(await over()).toContain("onchain_2");
  } finally {
    await database.query("drop schema onchain_2 cascade");
    await updateViewsOnce(database.url);
  }
  expect(await over()).toContain(`schema ${testSchema},`);
  expect(await queryAsAnalyst(`select from launchpad.trades where mint = '${mint}'`)).toHaveLength(4);
});

onlyInLongRun(() => {
  test("an upgrade switches the views while they are being read; users' own views follow afterwards", async () => {
    const { database } = shared.service;
    const onClient = <Result>(work: (client: pg.Client) => Promise<Result>) =>
      onConnection(database.url, work);
    const switchTo = (schema: string) =>
      onClient((client) => inTransaction(client, () => switchViews(client, schema)));
    const trades = async (view = "launchpad.trades") =>
      (await queryAsAnalyst(`select from ${view} limit 1`)).length;
    const schemas = () => database.query("select from pg_namespace where starts_with(nspname, 'launchpad_')");

    await database.query("create view public.of_a_user as select * from launchpad.trades");
    await database.query("grant select on public.of_a_user to launchpad_reader");
    await createSecondIndex(database);
    const analyst = new pg.Client({ connectionString: database.analystUrl });
    await analyst.connect();
    try {
      // Nothing is ready, so nothing changes.
      expect(await switchTo("onchain_2")).toBe(false);
      await analyst.query("begin; select from launchpad.trades limit 1");
      await onClient((client) => prepareViews(client, "onchain_2"));
      // Views prepared for an upgrade are not cleaned up.
      expect(await updateViewsOnce(database.url)).toBe("");
      expect(await switchTo("onchain_2")).toBe(true);
      expect([await trades(), await trades("public.of_a_user")]).toEqual([0, 1]);
      for (const { name } of views) await queryAsAnalyst(`select * from launchpad.${name} limit 1`);
      expect((await analyst.query("select from launchpad.trades")).rows).toEqual([]);
      // The index that is no longer live leaves them alone, and the live one has to wait for the analyst.
      await database.query("insert into offchain.stream_pause values ('onchain')");
      expect(await updateViewsOnce(database.url)).toBe("");
      await expect(updateViewsOnce(database.url, "onchain_2")).rejects.toMatchObject({ code: "55P03" });

      // Switches back and forth once more before the analyst is done.
      await onClient((client) => prepareViews(client, testSchema));
      expect(await switchTo(testSchema)).toBe(true);
      expect([await trades(), await trades("public.of_a_user")]).toEqual([1, 1]);
      await onClient((client) => prepareViews(client, "onchain_2"));
      expect(await switchTo("onchain_2")).toBe(true);

      await analyst.end();
      for (const _ of ["replace", "drop"]) await updateViewsOnce(database.url, "onchain_2");
      expect([await trades(), await trades("public.of_a_user")]).toEqual([0, 0]);
      expect(await schemas()).toEqual([]);
    } finally {
      await analyst.end().catch(() => {});
      await database.query("delete from offchain.stream_pause; drop view public.of_a_user");
      await database.query("drop schema onchain_2 cascade");
      await updateViewsOnce(database.url);
    }
    expect(await trades()).toBe(1);
  });
});
