import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import pg from "pg";
import { type Address, encodeFunctionData } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import type { buildDashboard } from "../../examples/analysis/grafana/build.ts";
import {
  type AnswerRow,
  askClickHouse,
  askLake,
  askLakeShared,
  askPostgres,
  openClickHouseViews,
  openLake,
  questions,
  readSharedQuestion,
  sharedQuestions,
} from "../../examples/analysis/questions.ts";
import { openEngine } from "../../lake/engine.ts";
import { type ExportOptions, exportFinal } from "../../lake/export/export.ts";
import { openStore } from "../../lake/store.ts";
import { eventTables, folders, snapshotTables } from "../../lake/tables/tables.ts";
import { verify } from "../../lake/verify.ts";
import { onConnection } from "../../offchain/connection.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { StartError } from "../../runtime/start-error.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startPriceFeed, type TestFeed } from "../chain/price-feed.ts";
import { startHttpServer } from "../doubles/http-server.ts";
import { type ExpectedAnswer, expectedAnalysis } from "../reference-market/expected-analysis.ts";
import { expectedTradeGroups } from "../reference-market/expected-groups.ts";
import { expectedMarket } from "../reference-market/expected-market.ts";
import { isLong, onlyInLongRun, sized } from "../run/long-run.ts";
import { startClickHouse } from "../service/clickhouse.ts";
import { until } from "../service/condition.ts";
import { eventRows, parquetRows, postgresRows, snapshotRows } from "../service/lake-rows.ts";
import { runProgram } from "../service/program.ts";
import { createRestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { updateViewsOnce } from "../service/views.ts";

/* `npm run lake` on a market of four days. Tests export into separate folders unless they say otherwise. */

const daySeconds = 86_400;

let chain: LaunchpadChain;
let feed: TestFeed;
let service: Service;
let place: Awaited<ReturnType<typeof temporaryFolder>>;
/** A full export, which tests only read. */
let lake: string;

beforeAll(async () => {
  place = await temporaryFolder();
  lake = path.join(place.folder, "lake");
  chain = await startLaunchpadChain({ hours: 4 * 24 });
  const token = await chain.create(chain.traders[0], 'Comma, "quote"\nnew line', "🚀,\r");
  feed = await startPriceFeed(chain);
  await tradeAsAnalystsLookFor();
  const blocks = sized({ usual: 60, long: 100 });
  await chain.trade(21, { blocks, actionsPerBlock: 6, creations: 0.03 });
  await mineUntilFinal();
  service = await startService([chain], { env: { BNB_USD_FEED_ADDRESS_56: feed.aggregator } });
  await service.indexer.untilReady();
  await service.database.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, description, registered_by, signature)
     select chain_id, address, name, symbol, creator, burn_percent, case when address = $1 then '' else E'"a",\\n\\\\' end, 'x', 'x'
     from onchain.token where created_block % 2 = 0 or address = $1`,
    [token.toLowerCase()],
  );
  expect(await runLake(lake)).toMatchObject({ code: 0, output: expect.stringContaining("exported") });
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
  await place?.remove();
});

/** What simulated traders hardly do: a bundled launch, a round trip, liquidity beside the launchpad's, and a sale of tokens that were a gift. */
async function tradeAsAnalystsLookFor(): Promise<void> {
  const [creator, buyer, other] = chain.traders;
  await feed.answer(61_234_567_891n);
  const token = await launchBundled("Bundled", "BUN", [buyer, other]);

  await chain.sell(buyer, token, await chain.balanceOf(token, buyer));
  await chain.buy(other, token, graduatingAmount * 2n);
  await chain.buyOnDex(buyer, token, 10n ** 16n);
  await chain.addLiquidity(other, token, 10n ** 24n, 10n ** 17n);
  await chain.addLiquidity(other, token, 10n ** 23n, 10n ** 16n, buyer);
  const pair = await chain.pairOf(token);
  await chain.removeLiquidity(other, token, pair, (await chain.balanceOf(pair, other)) / 2n);

  const given = await chain.create(creator, "Given away", "GIFT");
  await chain.buy(creator, given, 10n ** 15n);
  await chain.transfer(creator, given, other, 10n ** 20n);
  await chain.sell(other, given, 10n ** 20n);
}

/** Creates a token that others buy in the same block. */
async function launchBundled(name: string, symbol: string, bundlers: Address[]): Promise<Address> {
  const { publicClient, testClient, deployment } = chain;
  const { tokenFactory, launchpad } = deployment;
  const [creator] = chain.traders;
  const create = { abi: tokenFactoryAbi, functionName: "createToken", args: [name, symbol, 50] } as const;
  const { result: token } = await publicClient.simulateContract({
    ...create,
    address: tokenFactory,
    account: creator,
  });
  const buy = encodeFunctionData({ abi: launchpadAbi, functionName: "buy", args: [token, 0n, 2n ** 40n] });
  await testClient.setAutomine(false);
  const sent = [await chain.submit(creator, tokenFactory, encodeFunctionData(create))];
  for (const bundler of bundlers) sent.push(await chain.submit(bundler, launchpad, buy, 10n ** 15n));
  await testClient.mine({ blocks: 1 });
  await testClient.setAutomine(true);
  for (const hash of sent)
    expect(await publicClient.getTransactionReceipt({ hash })).toMatchObject({ status: "success" });
  return token;
}

/** Mines enough blocks to make everything before them final. */
const mineUntilFinal = () => chain.testClient.mine({ blocks: 70 });

const startLake = (folder: string, args: string[] = [], env?: Record<string, string>) =>
  runProgram(path.join(projectDir, "lake/command/lake.ts"), {
    env: env ?? { DATABASE_URL: service.database.url },
    args: ["--to", folder, ...args],
  });

async function runLake(folder: string, args: string[] = [], env?: Record<string, string>) {
  const program = startLake(folder, args, env);
  return { code: await program.exited, output: program.output() };
}

/** Runs the command's work in this process, which is faster than starting another. */
async function withEngine<Result>(folder: string, work: (run: ExportOptions) => Promise<Result>) {
  const pool = new pg.Pool({ connectionString: service.database.url, max: 2 });
  const engine = await openEngine(path.join(folder, ".work"));
  const { signal } = new AbortController();
  const store = openStore(folder, engine);
  const tables = new Set(folders);
  const run = { pool, schema: "onchain", engine, store, tables, step: daySeconds, signal, progress() {} };
  return await work(run).finally(() => Promise.all([engine.close(), pool.end()]));
}

const exportInProcess = (folder: string) => withEngine(folder, exportFinal);

const verificationProblems = (folder: string) =>
  withEngine(folder, async ({ engine, store }) => (await verify(engine, store)).problems);

/** The day's whole files, and the current day up to the last final second. */
const exportIntraday = (folder: string) => withEngine(folder, (run) => exportFinal({ ...run, step: 1 }));

type Entry = {
  path: string | null;
  table: string;
  day: string;
  rows: number;
  block: number | null;
  timestamp: number;
};
type Manifest = {
  source: Record<string, unknown>;
  horizon: Record<string, { events: Record<string, number>; snapshot: { block: number } }>;
  files: Entry[];
};

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(path.join(folder, "manifest.json"), "utf8")) as Manifest;

const filesOf = (folder: string, table: string) => path.join(folder, table, "*/*/*.parquet");

/** Compares an export's files with the tables: each row, and each value to the last digit. */
async function expectEqualRows(folder: string, except: { empty: string[] }): Promise<void> {
  await expectEqualEvents(folder, except);
  await expectEqualSnapshots(folder);
}

async function expectEqualEvents(folder: string, except: { empty: string[] }): Promise<void> {
  const { horizon } = await manifestOf(folder);
  for (const [table, { from, order }] of Object.entries(eventRows)) {
    const before = horizon[56]?.events[table] ?? 0;
    const expected = await postgresRows(service.database, { from: from(before), order });
    expect(expected.length === 0, table).toBe(except.empty.includes(table));
    if (expected.length > 0)
      expect(await parquetRows(filesOf(folder, table), order), table).toEqual(expected);
  }
}

async function expectEqualSnapshots(folder: string): Promise<void> {
  for (const [table, [from, order]] of Object.entries(snapshotRows)) {
    const expected = await postgresRows(service.database, { from, order });
    expect(expected.length, table).toBeGreaterThan(0);
    expect(await parquetRows(filesOf(folder, table), order), table).toEqual(expected);
  }
}

test("every row and value of the files equals the database's, to the last digit", async () => {
  await expectEqualRows(lake, { empty: [] });
  const { files } = await manifestOf(lake);
  expect(new Set(files.filter(({ table }) => table === "trades").map(({ day }) => day)).size).toBeGreaterThan(
    2,
  );
  // Checked against the market's tables alone: a day that is not over has no file.
  const final = Math.max(...files.map(({ timestamp }) => timestamp));
  for (const { block, day } of files)
    if (block === null) expect(Date.parse(day) / 1_000 + daySeconds).toBeLessThanOrEqual(final);
});

test("every on-chain table is exported", async () => {
  const tables = await service.database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'onchain' and tablename !~ '^_' order by 1",
  );
  const exported = [...eventTables, ...snapshotTables].map(({ table }) => table).sort();
  expect(exported).toEqual(tables.map(({ name }) => name));
  const { files } = await manifestOf(lake);
  expect([...new Set(files.map(({ table }) => table))].sort()).toEqual([...folders].sort());
});

test("registrations are exported with their public columns only", async () => {
  const found = await parquetRows(filesOf(lake, "registrations"), "mint");
  const columns = [
    ...["chain_id", "mint", "name", "symbol", "creator", "burn_percent", "description", "image_url"],
    ...["twitter_url", "telegram_url", "website_url", "verified", "registered_at"],
  ];
  expect(found).toEqual(
    await postgresRows(service.database, { from: "offchain.registration", order: "mint", columns }),
  );
  expect(new Set(found.map(({ description }) => description))).toEqual(new Set(["", '"a",\n\\']));
});

test("the five example queries have the same results on Postgres and on the files", async () => {
  const client = new pg.Client({ connectionString: service.database.url, options: "-c search_path=onchain" });
  await client.connect();
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    const scope = await openLake(duckdb, lake);
    for (const question of questions) {
      const answer = await askLake(duckdb, question);
      expect(answer.length, question).toBeGreaterThan(0);
      expect(answer, question).toEqual(await askPostgres(client, question, scope));
    }
  } finally {
    duckdb.closeSync();
    instance.closeSync();
    await client.end();
  }
});

/** Compares an answer with the expected one, to nine digits of each number, in any order of rows. */
function expectAnswer(answer: AnswerRow[], expected: ExpectedAnswer, name: string): void {
  expect(answer.length, name).toBeGreaterThan(0);
  const rows = answer.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, toCell(column, cell)])),
  );
  const inOrder = (all: ExpectedAnswer) =>
    all.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  expect(inOrder(rows), name).toEqual(inOrder(expected).map(roughly));
}

const toCell = (column: string, cell: string | null) => {
  if (cell === null || /^(0x|[a-z])/.test(cell)) return cell;
  if (column !== "time") return Number(cell);
  return Date.parse(`${cell.replace(" ", "T").replace(/Z$|\+00$/, "")}Z`) / 1_000;
};

/** Texts and times, which no two rows of an answer share. */
const keyOf = (row: ExpectedAnswer[number]) =>
  JSON.stringify(
    Object.entries(row).filter(([name, cell]) => typeof cell === "string" || /time|days/.test(name)),
  );

const roughly = (row: ExpectedAnswer[number]) =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, typeof cell === "number" ? nearly(cell) : cell]),
  );

const nearly = (value: number) =>
  Number.isInteger(value) ? value : expect.closeTo(value, 9 - Math.ceil(Math.log10(Math.abs(value) + 1e-12)));

test("the fifteen questions have the same answers over /sql, in DuckDB and from the chain's logs", async () => {
  await updateViewsOnce(service.database.url);
  const rest = await createRestClient(service.indexer.url);
  const { deployment, rpcUrl } = chain;
  const market = await expectedMarket({ rpcUrl, deployment, priceFeeds: [feed.aggregator] });
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    const scope = await openLake(duckdb, lake);
    const expected = expectedAnalysis(market, scope.until);
    for (const question of sharedQuestions) {
      const sql = await readSharedQuestion(question);
      const { status, body } = await rest.sql(sql, [scope.chain, 0, scope.until]);
      expect([status, body.detail], question).toEqual([200, undefined]);
      const names = body.columns.map(({ name }: { name: string }) => name);
      const rows = body.rows.map((row: unknown[]) =>
        Object.fromEntries(row.map((cell, index) => [names[index], cell === null ? null : String(cell)])),
      );
      expectAnswer(rows, expected[question], `${question} over /sql`);
      expectAnswer(await askLakeShared(duckdb, question, scope), expected[question], `${question} in DuckDB`);
    }
    // The DuckDB views have the columns of those in Postgres, but for what comes from rows that change later.
    const columns =
      "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'launchpad'";
    const inDuckdb = (await duckdb.runAndReadAll(columns)).getRows().map(([name]) => String(name));
    const answer = await rest.sql(columns);
    const inPostgres: string[] = answer.body.rows.map(([name]: unknown[]) => String(name));
    const views = new Set(inDuckdb.map((name) => name.split(".")[0]));
    expect(inDuckdb.filter((name) => !inPostgres.includes(name))).toEqual([]);
    const isMissing = (name: string) => views.has(name.split(".")[0]) && !inDuckdb.includes(name);
    expect(inPostgres.filter(isMissing).sort(), "what examples/analysis/launchpad-views.sql lacks").toEqual([
      "balance_change.tx",
      "curves.market_cap_bnb",
      "curves.market_cap_usd",
      "curves.price_usd",
      "early_buyers.bnb_spent",
      "early_buyers.first_buy_at",
      "early_buyers.first_buy_timestamp",
      "tokens.changed_timestamp",
    ]);
    const sums = await rest.sql(
      "select (select sum(usd_amount) from trades) = volume_usd, volume_usd > 0 from totals",
    );
    expect(sums.body.rows).toEqual([[true, true]]);
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
});

test("SQL computes prices, market caps and USD as REST does, to the last digit", async () => {
  const rest = await createRestClient(service.indexer.url);
  await updateViewsOnce(service.database.url);
  const readRows = async (sql: string) => {
    const { body } = await rest.sql(sql);
    const names: string[] = body.columns.map(({ name }: { name: string }) => name);
    return body.rows.map((row: unknown[]) => Object.fromEntries(row.map((cell, at) => [names[at], cell])));
  };
  const curves = await readRows(
    `select mint, trim_scale(price_bnb)::text as "priceBnb", trim_scale(price_usd)::text as "priceUsd",
       trim_scale(market_cap_bnb)::text as "marketCapBnb", trim_scale(market_cap_usd)::text as "marketCapUsd"
     from curves where chain_id = 56`,
  );
  expect(curves.length).toBeGreaterThan(3);
  for (const curve of curves)
    expect(curve).toEqual(pick((await rest.get(`/api/token/${curve.mint}`)).body, curve));
  const { trades } = (await rest.get("/api/trades?limit=100")).body;
  const inSql = await readRows(
    `select '56-' || id as id, trim_scale(price_bnb)::text as "priceBnb", trim_scale(price_usd)::text as "priceUsd",
       trim_scale(price_after_bnb)::text as "priceAfterBnb", trim_scale(amount_usd)::text as "amountUsd"
     from trades where chain_id = 56 order by id desc limit 100`,
  );
  expect(inSql).toEqual(trades.map((trade: object) => pick(trade, inSql[0])));
  expect(inSql.some(({ priceUsd }: { priceUsd: string | null }) => (priceUsd?.length ?? 0) > 30)).toBe(true);
});

/** The fields of a row that another one has too. */
const pick = (row: object, other: object) =>
  Object.fromEntries(Object.keys(other).map((name) => [name, Reflect.get(row, name)]));

test("the DuckDB views of tables whose rows change, and of candles, have the rows of those in Postgres", async () => {
  await updateViewsOnce(service.database.url);
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    const { until } = await openLake(duckdb, lake);
    await askLakeShared(duckdb, "funnel", { chain: 56, until });
    for (const [view, key, condition = "true"] of [
      ["positions", "mint, account"],
      ["accounts", "account"],
      ["holders", "mint, account"],
      ["pairs", "pair"],
      [
        "candles",
        `mint, "interval", open_timestamp`,
        `"interval" in ('1m', '1h') and open_timestamp < ${until}`,
      ],
    ]) {
      const text = `select * from launchpad.${view} where ${condition} order by ${key}`;
      const inPostgres = await service.database.query(
        text.replaceAll(/(mint|account|pair)(?=,|$)/g, '$1 collate "C"'),
      );
      const answer = await duckdb.runAndReadAll(text);
      const columns = answer.columnNames();
      expect(columns.toSorted(), view).toEqual(Object.keys(inPostgres[0] ?? {}).sort());
      // Times are in seconds beside them.
      const compared = columns.filter((name) => !/_(at|time)$/.test(name));
      const rows = answer.getRowObjects().map((row) => compared.map((name) => toNumber(row[name])));
      expect(rows.length, view).toBeGreaterThan(view === "pairs" ? 0 : 20);
      const expected = inPostgres.map((row) =>
        compared.map((name) => {
          const value = toNumber(row[name]);
          return typeof value === "number" ? nearly(value) : value;
        }),
      );
      expect(rows, view).toEqual(expected);
    }
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
});

/** Addresses and other texts as they are. */
const toNumber = (value: unknown) =>
  value === null || /^0x|^$/.test(String(value)) || Number.isNaN(Number(value)) ? value : Number(value);

test("days are those of UTC in a session of another zone, by the expressions that the documents recommend", async () => {
  await updateViewsOnce(service.database.url);
  const zone = "Asia/Kathmandu";
  const days = (day: string) =>
    `select ${day} as day, count(*) as trades from launchpad.trades where chain_id = 56 and timestamp < $1 group by 1 order by 1`;
  const texts = {
    postgres: "date_trunc('day', time, 'UTC')::timestamptz",
    duckdb: "date_trunc('day', time at time zone 'UTC') at time zone 'UTC'",
    numbers: "to_timestamp(timestamp - timestamp % 86400)",
    trap: "date_trunc('day', time)",
  };
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    const { until } = await openLake(duckdb, lake);
    await askLakeShared(duckdb, "volume-by-venue", { chain: 56, until });
    await duckdb.run(`set timezone = '${zone}'`);
    const inDuckdb = async (day: string) => {
      const sql = `select epoch(day)::bigint, trades from (${days(day)}) order by 1`;
      const answer = await duckdb.runAndReadAll(sql, [BigInt(until)]);
      return answer.getRows().map((row) => row.map(Number));
    };
    const inPostgres = (day: string) =>
      onConnection(service.database.analystUrl, async (client) => {
        await client.query(`set timezone = '${zone}'`);
        const sql = `select extract(epoch from day)::float8 as day, trades::int from (${days(day)}) d order by 1`;
        return (await client.query({ text: sql, values: [until], rowMode: "array" })).rows;
      });
    const totals = await onConnection(service.database.analystUrl, (client) =>
      client.query({
        text: `select day_timestamp::float8, buys + sells from launchpad.daily_totals
               where chain_id = 56 and day_timestamp < $1 and buys + sells > 0 order by 1`,
        values: [until],
        rowMode: "array",
      }),
    );
    expect(totals.rows.length).toBeGreaterThan(2);
    expect(await inPostgres(texts.postgres)).toEqual(totals.rows);
    expect(await inPostgres(texts.numbers)).toEqual(totals.rows);
    expect(await inDuckdb(texts.duckdb)).toEqual(totals.rows);
    expect(await inDuckdb(texts.numbers)).toEqual(totals.rows);
    expect(await inPostgres(texts.trap)).not.toEqual(totals.rows);
    expect(await inDuckdb(texts.trap)).not.toEqual(totals.rows);
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
});

onlyInLongRun(() => {
  test("the fifteen questions have the same answers in ClickHouse, over the files", async () => {
    const { deployment, rpcUrl } = chain;
    const market = await expectedMarket({ rpcUrl, deployment, priceFeeds: [feed.aggregator] });
    const until = (await manifestOf(lake)).horizon[56]?.events.trades ?? 0;
    const expected = expectedAnalysis(market, until);
    const clickHouse = await startClickHouse();
    try {
      await openClickHouseViews(clickHouse.query, { database: "default", lake });
      for (const question of sharedQuestions) {
        const answer = await askClickHouse(clickHouse.query, question, { chain: 56, until });
        expectAnswer(answer, expected[question], `${question} in ClickHouse`);
      }
    } finally {
      await clickHouse.stop();
    }
  });
});

type GraphqlAnswer = { data: Record<string, { items: Record<string, unknown>[] }>; errors?: unknown };

test("the questions in GraphQL have the same answers as the chain's logs", async () => {
  const { deployment, rpcUrl } = chain;
  const expected = await expectedMarket({ rpcUrl, deployment, priceFeeds: [feed.aggregator] });
  const { market, accounts, liquidity } = expected;
  const ask = async (name: string, variables: Record<string, unknown>) => {
    const query = await readFile(path.join(projectDir, `examples/analysis/graphql/${name}.graphql`), "utf8");
    const response = await fetch(`${service.indexer.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables: { chain: 56, ...variables } }),
    });
    const { data, errors } = (await response.json()) as GraphqlAnswer;
    expect(errors, name).toBeUndefined();
    return data;
  };
  const { trades } = market;
  const [from, end] = [0.25, 0.75].map((part) => trades[Math.floor(trades.length * part)]?.timestamp ?? 0n);
  const within = { from: String(from), until: String(end) };
  const isWithin = ({ timestamp }: { timestamp: bigint }) =>
    timestamp >= (from ?? 0n) && timestamp < (end ?? 0n);

  const volume = await ask("volume", within);
  const totalOf = (side: string, total: string) => BigInt(String(volume[side]?.items[0]?.[total]));
  const grown = (total: string) => totalOf("until", total) - totalOf("from", total);
  const between = trades.filter(isWithin);
  expect(between.length).toBeGreaterThan(10);
  expect(grown("launchpadVolumeToDateWei")).toBe(between.reduce((total, { bnb }) => total + bnb, 0n));
  expect(grown("launchpadVolumeToDateUsdX18")).toBe(
    between.reduce((total, { volumeUsd }) => total + (volumeUsd ?? 0n), 0n),
  );
  expect(grown("launchpadBuysToDate")).toBe(BigInt(between.filter(({ isBuy }) => isBuy).length));

  const byToken = Map.groupBy(between, (trade) => trade.token);
  const [token = "", ofToken = []] =
    [...byToken].sort(([, left], [, right]) => right.length - left.length)[0] ?? [];
  const ofOne = await ask("token-volume", { ...within, token });
  const tokenTotal = (side: string, total: string) => BigInt(String(ofOne[side]?.items[0]?.[total] ?? 0));
  const grownOfToken = (total: string) => tokenTotal("until", total) - tokenTotal("from", total);
  expect(ofToken.length).toBeGreaterThan(2);
  expect(grownOfToken("volumeToDateWei")).toBe(ofToken.reduce((total, { bnb }) => total + bnb, 0n));
  expect(grownOfToken("buysToDate") + grownOfToken("sellsToDate")).toBe(BigInt(ofToken.length));

  const [firstDay, lastDay] = [trades[0], trades.at(-1)].map((trade) =>
    new Date(Number(trade?.timestamp) * 1_000).toISOString().slice(0, 10),
  );
  const days = (await ask("days", { from: firstDay, to: lastDay })).tradeGroups?.items ?? [];
  expect(days.length).toBeGreaterThan(3);
  expect(expectedTradeGroups(expected, trades, ["day", "venue"])).toEqual(
    days.map((group) => expect.objectContaining(group)),
  );

  const creators = (await ask("creators", {})).accounts?.items ?? [];
  expect(creators[0]?.tokensGraduated).toBeGreaterThan(0);
  for (const { address, tokensCreated, tokensGraduated } of creators) {
    const record = accounts.find((account) => account.address === address)?.record;
    expect([tokensCreated, tokensGraduated]).toEqual([record?.created, record?.graduated]);
  }

  const changes = (await ask("liquidity", { from: "0", until: "99999999999" })).liquidityChanges?.items ?? [];
  const amounts = liquidity.map(({ bnb }) => String(bnb)).sort();
  expect(changes.map(({ bnbAmountWei }) => bnbAmountWei).sort()).toEqual(amounts);
});

test("Grafana's dashboard has a panel for each question, whose SQL runs", async () => {
  const text = await readFile(path.join(projectDir, "examples/analysis/grafana/dashboard.json"), "utf8");
  const dashboard = JSON.parse(text) as Awaited<ReturnType<typeof buildDashboard>>;
  expect(dashboard.panels).toHaveLength(sharedQuestions.length);
  await updateViewsOnce(service.database.url);
  const client = new pg.Client({ connectionString: service.database.analystUrl });
  await client.connect();
  try {
    for (const { title, targets } of dashboard.panels) {
      for (const { rawSql, format } of targets) {
        const { fields, rows } = await client.query(asGrafana(rawSql));
        expect(rows.length, title).toBeGreaterThan(0);
        const isTime = format === "time_series";
        if (isTime) expect(rows[0].time, title).toBeInstanceOf(Date);
        expect(fields.length, title).toBeGreaterThan(1);
      }
    }
  } finally {
    await client.end();
  }
});

test("Metabase's questions have the columns that their charts name, and the import creates all of them", async () => {
  const folder = path.join(projectDir, "examples/analysis/metabase");
  const metabase = JSON.parse(await readFile(path.join(folder, "questions.json"), "utf8"));
  expect(metabase.cards).toHaveLength(sharedQuestions.length);
  await updateViewsOnce(service.database.url);
  const values: Record<string, string> = { chain: "56", from: "date '1970-01-02'", to: "date '2100-01-01'" };
  const client = new pg.Client({ connectionString: service.database.analystUrl });
  await client.connect();
  try {
    for (const { name, dataset_query: query, visualization_settings: settings } of metabase.cards) {
      const sql = String(query.native.query).replaceAll(
        /\{\{(\w+)\}\}/g,
        (_, variable: string) => values[variable] ?? "",
      );
      const { fields, rows } = await client.query(sql);
      expect(rows.length, name).toBeGreaterThan(0);
      const charted = Object.values(settings as Record<string, string[]>).flat();
      expect(
        fields.map((field) => field.name),
        name,
      ).toEqual(expect.arrayContaining(charted));
    }
  } finally {
    await client.end();
  }

  const requests: { method: string; path: string; body: Record<string, unknown> }[] = [];
  const server = await startHttpServer(async ({ method, url, headers, body }) => {
    if (headers["x-api-key"] !== "mb_key") return { status: 401, body: "" };
    requests.push({ method, path: url.pathname, body: JSON.parse(body.toString()) });
    return { status: 200, body: JSON.stringify({ id: requests.length }) };
  });
  try {
    const program = runProgram(path.join(folder, "import.mjs"), {
      env: { METABASE_URL: server.url, METABASE_API_KEY: "mb_key" },
      args: ["2"],
    });
    expect([await program.exited, program.output()]).toEqual([0, expect.stringContaining("15 questions")]);
  } finally {
    await server.close();
  }
  const cards = requests.filter(({ path: to }) => to === "/api/card");
  expect(cards.map(({ body }) => body)).toEqual(
    metabase.cards.map((card: { dataset_query: object }) => ({
      ...card,
      dataset_query: { ...card.dataset_query, database: 2 },
      collection_id: 1,
    })),
  );
  const [placed] = requests.filter(({ method }) => method === "PUT");
  expect(placed?.path).toBe("/api/dashboard/17");
  expect(placed?.body.dashcards).toEqual(
    cards.map((_, index) => expect.objectContaining({ card_id: index + 2 })),
  );
});

/** Replaces the variable and the macros as Grafana's PostgreSQL data source documents them. */
function asGrafana(rawSql: string): string {
  const [from, to] = [0, Math.floor(Date.now() / 1_000) + 10 * daySeconds];
  return rawSql
    .replaceAll(/\$__unixEpochFilter\((\w+)\)/g, `$1 >= ${from} AND $1 <= ${to}`)
    .replaceAll("$__unixEpochFrom()", String(from))
    .replaceAll("$__unixEpochTo()", String(to))
    .replaceAll("$chain", "56");
}

test("the changes of balances in the files add up to the same as in Postgres", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    const { chain: chainId, until: end } = await openLake(duckdb, lake);
    await duckdb.run(await readFile(path.join(projectDir, "examples/analysis/balance-change.sql"), "utf8"));
    const inFiles = await duckdb.runAndReadAll(
      `select token, account, sum(change_raw)::text, string_agg(distinct reason, ' ' order by reason)
       from balance_change where chain_id = ${chainId} and timestamp < ${end} group by 1, 2 order by 1, 2`,
    );
    await updateViewsOnce(service.database.url);
    const inPostgres = await service.database.query(
      `select mint, account collate "C", sum(change_raw)::text, string_agg(distinct reason, ' ' order by reason)
       from launchpad.balance_change where chain_id = $1 and timestamp < $2 group by 1, 2
       order by mint collate "C", account collate "C"`,
      [chainId, end],
    );
    expect(inPostgres.length).toBeGreaterThan(50);
    expect(inFiles.getRows()).toEqual(inPostgres.map((row) => Object.values(row)));
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
});

test("the report contains every result, and loads nothing from the network", async () => {
  const file = path.join(place.folder, "report.html");
  const report = runProgram(path.join(projectDir, "examples/analysis/report.ts"), {
    args: ["--lake", lake, "--to", file],
  });
  expect(await report.exited, report.output()).toBe(0);
  const html = await readFile(file, "utf8");
  for (const question of questions) expect(html).toContain(`<section id="${question}">`);
  expect(html.match(/<svg/g)).toHaveLength(questions.length);
  expect(html).not.toMatch(/NaN|undefined|https?:|<script|<link|url\(/);
});

onlyInLongRun(() => {
  test.each([
    [["--lak", "lake"], "there is no --lak: did you mean --lake? It takes --lake <folder> and --to <file>"],
    [
      ["--lake", "/nowhere"],
      "/nowhere has no lake (no manifest.json): npm run lake -- --to /nowhere exports one",
    ],
  ])("the report refuses %j in one line", async (args, line) => {
    const report = runProgram(path.join(projectDir, "examples/analysis/report.ts"), { args });
    expect(await report.exited, report.output()).toBe(1);
    expect(report.output()).toContain(line);
    expect(report.output().trim().split("\n")).toHaveLength(1);
  });

  test("the report says so if the lake has no trades yet", async () => {
    const empty = path.join(place.folder, "empty");
    await mkdir(empty);
    await copyFile(path.join(lake, "manifest.json"), path.join(empty, "manifest.json"));
    const report = runProgram(path.join(projectDir, "examples/analysis/report.ts"), {
      args: ["--lake", empty],
    });
    expect(await report.exited, report.output()).toBe(1);
    expect(report.output().trim()).toBe(
      `${empty} has no files of trades yet: npm run lake -- --to ${empty} exports days that are over, and with --intraday the current one too`,
    );
  });
});

test("a second run adds nothing, and verification reports every change", async () => {
  const before = await readFile(path.join(lake, "manifest.json"), "utf8");
  expect(await runLake(lake)).toMatchObject({ code: 0, output: expect.stringContaining("nothing new") });
  expect(await readFile(path.join(lake, "manifest.json"), "utf8")).toBe(before);
  if (isLong) {
    const verified = { code: 0, output: expect.stringContaining("all as") };
    expect(await runLake(lake, ["--verify"])).toMatchObject(verified);
  } else expect(await verificationProblems(lake)).toEqual([]);

  const copy = path.join(place.folder, "damaged");
  execFileSync("cp", ["-a", lake, copy]);
  const [first, second, third] = (await manifestOf(copy)).files.flatMap((file) => file.path ?? []);
  await appendFile(path.join(copy, `${first}`), "x");
  await rm(path.join(copy, `${second}`));
  execFileSync("cp", [
    path.join(copy, `${third}`),
    path.join(copy, path.dirname(`${third}`), "part-1.parquet"),
  ]);
  const { code, output } = await runLake(copy, ["--verify"]);
  expect(code).toBe(1);
  expect(output).toContain(`${first} is not what was written`);
  expect(output).toContain(`${second} is missing`);
  expect(output).toMatch(/part-1\.parquet is not in the manifest/);
  expect(output).toContain("3 problems");
});

onlyInLongRun(() => {
  test("a role that may only read exports the same", async () => {
    const folder = path.join(place.folder, "analyst");
    const { code, output } = await runLake(folder, [], { DATABASE_URL: service.database.analystUrl });
    expect(code, output).toBe(0);
    const counts = async (of: string) =>
      (await manifestOf(of)).files.map(({ table, day, rows }) => [table, day, rows]).sort();
    expect(await counts(folder)).toEqual(await counts(lake));
  });

  test("a killed export leaves nothing broken and the next one resumes; two at once are refused", async () => {
    const folder = path.join(place.folder, "killed");
    const blocker = new pg.Client({ connectionString: service.database.url });
    await blocker.connect();
    try {
      // Makes the export wait in the middle of a snapshot, after all days are done.
      await blocker.query("begin");
      await blocker.query("lock table onchain.holder in access exclusive mode");
      const killed = startLake(folder);
      await until("some tables of the snapshot to be written", async () => {
        if (killed.hasExited()) throw new Error(killed.output());
        const scratch = await readdir(path.join(folder, ".work/scratch")).catch(() => []);
        return scratch.some((name) => /^tokens.*parquet$/.test(name));
      });
      expect(await runLake(folder)).toMatchObject({
        code: 1,
        output: expect.stringContaining(`another export into this folder is running (process ${killed.pid})`),
      });
      killed.kill("SIGKILL");
      await killed.exited;
    } finally {
      await blocker.end();
    }
    const { files } = await manifestOf(folder);
    expect(files.some(({ table }) => table === "trades")).toBe(true);
    expect(files.some(({ block }) => block !== null)).toBe(false);
    expect(await verificationProblems(folder)).toEqual([]);

    await exportInProcess(folder);
    expect(await verificationProblems(folder)).toEqual([]);
    const counts = async (of: string) =>
      (await manifestOf(of)).files.map(({ table, day, rows }) => [table, day, rows]).sort();
    expect(await counts(folder)).toEqual(await counts(lake));
    expect(await readdir(folder)).not.toContain(".work");
  });
});

test("data that a reorg can still undo is never exported", async () => {
  const folder = path.join(place.folder, "reorg");
  const [creator, buyer, other] = chain.traders;
  const token = await chain.create(creator, "Stays", "STAY");
  await chain.buy(buyer, token, 10n ** 16n);
  await mineUntilFinal();
  await service.expectIndexEqualsChain();
  const lastFinal = await chain.head();
  await untilFinal(lastFinal - 70n);
  const before = await chain.testClient.snapshot();

  await chain.transfer(buyer, token, other, 5n);
  await chain.sell(buyer, token, 10n ** 18n);
  await chain.buy(other, token, graduatingAmount * 2n);
  await chain.buyOnDex(buyer, token, 10n ** 15n);
  const lost = await chain.create(other, "Lost", "LOST");
  await chain.buy(other, lost, 10n ** 15n);
  await service.expectIndexEqualsChain();
  await service.database.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent)
     select chain_id, address, name, symbol, creator, burn_percent from onchain.token where address = $1`,
    [lost.toLowerCase()],
  );
  await exportInProcess(folder);
  const { files } = await manifestOf(folder);
  const block = Math.max(...files.map((file) => file.block ?? 0));
  expect(block).toBeLessThanOrEqual(Number(lastFinal));
  const changed = await postgresRows(service.database, { from: "onchain.holder", order: "token, account" });
  expect(await parquetRows(filesOf(folder, "holders"), "token, account")).not.toEqual(changed);

  await chain.testClient.revert({ id: before });
  await chain.testClient.mine({ blocks: 12 });
  await service.expectIndexEqualsChain();
  await expectEqualSnapshots(folder);
  expect(JSON.stringify(await parquetRows(filesOf(folder, "registrations"), "mint"))).not.toContain(
    lost.toLowerCase(),
  );
});

onlyInLongRun(() => {
  test("an account's first buys are exported once none of them can be undone", async () => {
    const folder = path.join(place.folder, "first-buys");
    const { testClient } = chain;
    const [, buyer] = chain.traders;
    const mineUpTo = async (block: bigint) =>
      await testClient.mine({ blocks: Number(block - (await chain.head())), interval: 1 });
    // Thirty blocks become final at once, when the last of them has thirty after it.
    let next = (await finalBlock()) + 60n;
    while ((await chain.head()) > next - 3n) next += 30n;
    await mineUpTo(next - 2n);
    const token = await launchBundled("Settles", "SET", [buyer]);
    await testClient.mine({ blocks: 1, interval: 1 });
    const before = await testClient.snapshot();
    expect(await chain.head()).toBe(next);
    await chain.buy(buyer, token, 10n ** 15n);
    await mineUpTo(next + 30n);
    await untilFinal(next);
    expect(await finalBlock()).toBe(next);
    const boughtRaw = async () => {
      const [row] = await service.database.query<{ bought_raw: string }>(
        "select bought_raw from onchain.early_buyer where token = $1",
        [token.toLowerCase()],
      );
      return row?.bought_raw;
    };
    const undone = await boughtRaw();
    await exportIntraday(folder);
    await expectEqualEvents(folder, { empty: [] });

    await testClient.revert({ id: before });
    await mineUpTo(next + 62n);
    await untilFinal(next + 30n);
    expect(await boughtRaw()).not.toBe(undone);
    await exportIntraday(folder);
    await expectEqualEvents(folder, { empty: [] });
    expect(await parquetRows(filesOf(folder, "early_buyers"), "token, account")).toContainEqual(
      expect.objectContaining({ token: token.toLowerCase(), bought_raw: await boughtRaw() }),
    );
  });
});

async function finalBlock(): Promise<bigint> {
  const [row] = await service.database.query<{ block: string }>(
    "select substr(finalized_checkpoint, 27, 16) as block from onchain._ponder_checkpoint",
  );
  return BigInt(row?.block ?? 0);
}

async function untilFinal(block: bigint): Promise<void> {
  await until(`block ${block} to be final`, async () => (await finalBlock()) >= block);
}

test("the folder of another index, of an older layout or without a manifest is refused", async () => {
  const folder = path.join(place.folder, "foreign");
  await mkdir(folder);
  const { source, files } = await manifestOf(lake);
  const changes = [
    [{ schema: "onchain2" }, "DATABASE_SCHEMA was onchain2 and is onchain"],
    [{ firstTokens: { 56: "0x 0x" } }, "the first token of chain 56 is another one"],
    [{ build: "other" }, "it was indexed by build other"],
    [{ firstTokens: { 97: "0x 0x" } }, "it has chain 97"],
  ] as const;
  for (const [change, reason] of changes.slice(0, sized({ usual: 2, long: 4 }))) {
    const text = JSON.stringify({ version: 2, source: { ...source, ...change }, files });
    await writeFile(path.join(folder, "manifest.json"), text);
    const refusal = await exportError(folder);
    expect(refusal).toContain(reason);
    expect(refusal).toContain("export to an empty one");
    expect(await readFile(path.join(folder, "manifest.json"), "utf8")).toBe(text);
  }
  await writeFile(path.join(folder, "manifest.json"), "{");
  expect(await exportError(folder)).toContain("not a list of");

  const copy = path.join(place.folder, "without");
  execFileSync("cp", ["-a", lake, copy]);
  await writeFile(path.join(copy, "manifest.json"), JSON.stringify({ version: 1, source, files }));
  expect(await exportError(copy)).toContain("files of layout 1");
  expect(await verificationProblems(copy)).toEqual([]);
  await rm(path.join(copy, "manifest.json"));
  expect(await exportError(copy)).toContain("but no manifest.json");
});

test("a folder with the rows of another history is refused, and one that has more than the index waits", async () => {
  const folder = path.join(place.folder, "history");
  execFileSync("cp", ["-a", lake, folder]);
  const file = path.join(folder, "manifest.json");
  const text = await readFile(file, "utf8");
  const { anchors } = (await manifestOf(folder)).source as Record<string, Record<string, { block: number }>>;
  const block = anchors?.[56]?.block ?? Number.NaN;
  const changes = [
    ["trade", "id", "tx"],
    ["token", "address", "created_tx"],
    ["trade", "id", "timestamp"],
    ["transfer", "id", "tx"],
    ["liquidity_change", "id", "tx"],
  ] as const;
  for (const [table, key, column] of changes.slice(0, sized({ usual: 2, long: 5 }))) {
    const blockColumn = table === "token" ? "created_block" : "block";
    const [last] = await service.database.query<{ key: string; value: string }>(
      `select ${key} as key, ${column} as value from onchain.${table}
       where ${blockColumn} <= $1 order by ${blockColumn} desc limit 1`,
      [block],
    );
    const change = (value: string | undefined) =>
      service.database.falsify(`update onchain.${table} set ${column} = $2 where ${key} = $1`, [
        last?.key,
        value,
      ]);
    await change(column === "timestamp" ? "1" : `0x${"f".repeat(64)}`);
    const refusal = await exportError(folder);
    await change(last?.value);
    expect(refusal, table).toContain(`chain 56 has other events up to block ${block}`);
    expect(refusal).toContain("export to an empty one");
    expect(await readFile(file, "utf8")).toBe(text);
  }
  expect(await exportError(folder)).toBe("none");

  const manifest = JSON.parse(text);
  manifest.source.anchors[56].block += 1_000_000;
  await writeFile(file, JSON.stringify(manifest));
  expect(await exportError(folder)).toContain(`is not final up to block ${block + 1_000_000}`);
  const following = startLake(folder, ["--follow"]);
  await following.untilOutput("waiting: the index of chain 56 is not final up to block");
  following.kill("SIGTERM");
  expect(await following.exited).toBe(0);

  // That of an earlier version.
  delete manifest.source.anchors;
  await writeFile(file, JSON.stringify(manifest));
  expect(await exportError(folder)).toBe("none");
});

/** Returns the error message with which an export fails. */
const exportError = (folder: string) =>
  exportInProcess(folder).then(
    () => "none",
    (error: unknown) => {
      if (error instanceof StartError) return error.message;
      throw error;
    },
  );

onlyInLongRun(() => {
  test("an incomplete index is refused; --follow waits for it, then exports each day as it becomes final", async () => {
    const folder = path.join(place.folder, "follow");
    const setReady = (isReady: number) =>
      service.database.query(
        "update onchain._ponder_meta set value = jsonb_set(value, '{is_ready}', to_jsonb($1::int))",
        [isReady],
      );
    await setReady(0);
    expect(await exportError(folder)).toContain("the index is not complete");
    const following = startLake(folder, ["--follow"]);
    await following.untilOutput("waiting: the index is not complete");
    expect(existsSync(path.join(folder, "manifest.json"))).toBe(false);
    await setReady(1);
    await following.untilOutput("exported to");
    const daysOf = async () =>
      (await manifestOf(folder)).files.filter(({ table }) => table === "trades").map(({ day }) => day);
    const days = await daysOf();

    await chain.testClient.increaseTime({ seconds: daySeconds });
    await mineUntilFinal();
    await until("the next day's files", async () => (await daysOf()).length > days.length);
    following.kill("SIGTERM");
    expect(await following.exited).toBe(0);
    expect(await daysOf()).toEqual([...new Set([...days, ...(await daysOf())])].sort());
  });

  test("a full disk of Postgres is named as such, and --follow waits until there is space", async () => {
    const folder = path.join(place.folder, "full-postgres");
    const env = { DATABASE_URL: service.database.analystUrl };
    await service.database.query(
      `create function onchain.fail() returns boolean language plpgsql as $$ begin
         raise exception 'could not write to file "base/pgsql_tmp/pgsql_tmp7.0": No space left on device' using errcode = '53100';
       end $$;
       alter table onchain.trade enable row level security;
       create policy reads on onchain.trade for select using (onchain.fail())`,
    );
    try {
      expect(await runLake(folder, [], env)).toMatchObject({
        code: 1,
        output: expect.stringContaining("the disk of Postgres is full (could not write to file"),
      });
      const following = startLake(folder, ["--follow"], env);
      await following.untilOutput("waiting: the disk of Postgres is full");
      await service.database.query("alter table onchain.trade disable row level security");
      await following.untilOutput("exported to");
      following.kill("SIGTERM");
      expect(await following.exited).toBe(0);
    } finally {
      await service.database.query(
        "alter table onchain.trade disable row level security; drop function onchain.fail() cascade",
      );
    }
  });
});

/** Trades the token, and waits until that is final. */
async function tradeUntilFinal(token: Address): Promise<void> {
  const [creator, buyer] = chain.traders;
  await chain.buy(buyer, token, 10n ** 15n);
  await chain.transfer(buyer, token, creator, 5n);
  const last = await chain.head();
  // In other seconds than the trade, the last of which may have blocks that aren't final.
  await chain.testClient.mine({ blocks: 70, interval: 1 });
  await untilFinal(last + 2n);
}

const tradeFilesOf = async (folder: string) =>
  (await manifestOf(folder)).files.filter(({ table }) => table === "trades");

test("the current day's final rows are exported in parts, each row once", async () => {
  const folder = path.join(place.folder, "intraday");
  const token = await chain.create(chain.traders[0], "Intraday", "DAY");
  await tradeUntilFinal(token);
  await exportIntraday(folder);
  await expectEqualEvents(folder, { empty: [] });
  const before = await tradeFilesOf(folder);
  await tradeUntilFinal(token);
  await exportIntraday(folder);
  await expectEqualEvents(folder, { empty: [] });
  const after = await tradeFilesOf(folder);
  expect(after.slice(0, -1)).toEqual(before);
  expect(after.at(-1)?.path).toMatch(/part-1\.parquet$/);
  expect(await verificationProblems(folder)).toEqual([]);
});

onlyInLongRun(() => {
  test("the rest of a day that was exported in parts follows once it is over, and trades up to the snapshots' block are those of Postgres", async () => {
    const folder = path.join(place.folder, "rest-of-day");
    const token = await chain.create(chain.traders[0], "Rest", "REST");
    await tradeUntilFinal(token);
    await exportIntraday(folder);
    const parts = await tradeFilesOf(folder);

    const instance = await DuckDBInstance.create(":memory:");
    const duckdb = await instance.connect();
    try {
      await openLake(duckdb, folder);
      const inFiles = await duckdb.runAndReadAll("select id from trades_asof order by id");
      const block = (await manifestOf(folder)).horizon[56]?.snapshot.block;
      const inPostgres = await service.database.query<{ id: string }>(
        "select id from onchain.trade where block <= $1 order by id",
        [block],
      );
      expect(inFiles.getRows()).toEqual(inPostgres.map(({ id }) => [id]));
    } finally {
      duckdb.closeSync();
      instance.closeSync();
    }

    // Without the option.
    await chain.buy(chain.traders[1], token, 10n ** 15n);
    await chain.testClient.increaseTime({ seconds: daySeconds });
    await tradeUntilFinal(token);
    await exportInProcess(folder);
    await expectEqualEvents(folder, { empty: [] });
    const rest = (await tradeFilesOf(folder)).slice(parts.length);
    expect(rest.filter(({ path }) => path?.endsWith("part-1.parquet"))).toHaveLength(1);
    expect(await verificationProblems(folder)).toEqual([]);
  });

  test("a full disk is reported, and finished exports stay", async ({ skip }) => {
    const disk = path.join(place.folder, "disk");
    await mkdir(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=250k,mode=755", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      return skip("only root may mount");
    }
    try {
      expect(await runLake(disk)).toMatchObject({
        code: 1,
        output: expect.stringContaining(`no space left on the disk of ${disk}`),
      });
      expect(await readdir(disk)).not.toContain(".work");
      if (existsSync(path.join(disk, "manifest.json"))) {
        expect(await verificationProblems(disk)).toEqual([]);
      }
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});

// Runs last, since it changes the database.
onlyInLongRun(() => {
  test("amounts too large for a decimal, as hostile contracts emit them, keep all their digits", async () => {
    const folder = path.join(place.folder, "hostile");
    const client = new pg.Client({ connectionString: service.database.url });
    await client.connect();
    const huge = (2n ** 256n - 1n).toString();
    try {
      await client.query("set session_replication_role = replica");
      await client.query(
        `update onchain.trade set bnb_amount_wei = ${huge}, token_amount_raw = 1e38::numeric - 1, price_bnb_x36 = ${huge},
           realised_wei = case side when 'sell' then 1 - 1e38::numeric end where log_index % 2 = 0`,
      );
      await client.query(
        `update onchain.trade set token_amount_raw = 1e38, volume_to_date_wei = 17e37 where log_index % 3 = 0`,
      );
      await client.query(`update onchain.holder set balance_raw = ${huge} where account < '0x8'`);
      await client.query(
        `insert into onchain.bnb_usd_answer (chain_id, id, feed, round_id, answer_usd_x8, timestamp)
         select chain_id, id, tx, ${huge}, block, timestamp from onchain.trade`,
      );
    } finally {
      await client.end();
    }
    await exportInProcess(folder);
    await expectEqualRows(folder, { empty: [] });
    expect(await verificationProblems(folder)).toEqual([]);
  });
});
