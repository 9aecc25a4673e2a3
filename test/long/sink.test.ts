import { createHash } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  askClickHouse,
  openClickHouseViews,
  readSharedQuestion,
  sharedQuestions,
} from "../../examples/analysis/questions.ts";
import { openClickHouse, parseAddress } from "../../lake/sink/clickhouse.ts";
import { createLiveWriter } from "../../lake/sink/live.ts";
import { openSink, writeFinal } from "../../lake/sink/sink.ts";
import type { Sink } from "../../lake/sink/write.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startPriceFeed } from "../chain/price-feed.ts";
import { type HttpServer, type Received, startHttpServer } from "../doubles/http-server.ts";
import { clickHousePassword, startClickHouse } from "../service/clickhouse.ts";
import { until } from "../service/condition.ts";
import { eventRows, postgresRows, snapshotRows } from "../service/lake-rows.ts";
import { runProgram } from "../service/program.ts";
import { type Service, startService } from "../service/service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { updateViewsOnce } from "../service/views.ts";

/* `npm run sink` into ClickHouse's own engine, from a market of two days. */

let chain: LaunchpadChain;
let service: Service;
let feed: Awaited<ReturnType<typeof startPriceFeed>>;
let clickHouse: Awaited<ReturnType<typeof startClickHouse>>;

beforeAll(async () => {
  clickHouse = await startClickHouse();
  chain = await startLaunchpadChain({ hours: 2 * 24 });
  feed = await startPriceFeed(chain);
  await feed.answer(61_234_567_891n);
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator, "Tab\t, 'quote\"\\N \\\\\nnew line", "🚀\r");
  await chain.buy(buyer, token, graduatingAmount * 2n);
  await chain.addLiquidity(buyer, token, 10n ** 24n, 10n ** 17n);
  await chain.trade(21, { blocks: 60, actionsPerBlock: 6, creations: 0.05 });
  await mineUntilFinal();
  await startIndexing();
  await service.database.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, description, registered_by, signature)
     select chain_id, address, name, symbol, creator, burn_percent, E'"a",\\t\\n\\\\', 'x', 'x' from onchain.token`,
  );
  // More digits than a decimal has, which only contracts of somebody else's emit.
  const [last] = await service.database.query<{ id: string }>("select max(id) as id from onchain.trade");
  await service.database.falsify("update onchain.trade set bnb_amount_wei = 2::numeric ^ 255 where id = $1", [
    last?.id,
  ]);
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
  await clickHouse?.stop();
});

/** Indexes the chain into a new database. */
async function startIndexing(): Promise<void> {
  service = await startService([chain], { env: { BNB_USD_FEED_ADDRESS_56: feed.aggregator } });
  await service.indexer.untilReady();
}

// A second apart: what is written ends before the last final second.
const mineUntilFinal = () => chain.testClient.mine({ blocks: 120, interval: 1 });

/** Trades, and waits until all of it is final in Postgres, and for as long as the sink does. */
async function tradeUntilFinal(number: number): Promise<void> {
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator, `Token ${number}`, `T${number}`);
  for (const wei of [10n ** 14n, 10n ** 15n, 3n * 10n ** 15n]) await chain.buy(buyer, token, wei);
  await chain.sell(buyer, token, (await chain.balanceOf(token, buyer)) / 3n);
  const { timestamp } = await chain.publicClient.getBlock();
  await mineUntilFinal();
  // Otherwise more becomes final while a sink writes.
  await service.indexer.untilIndexed(56, await chain.head());
  await until("final blocks", async () => {
    const [{ final } = { final: 0 }] = await service.database.query<{ final: number }>(
      "select left(finalized_checkpoint, 10)::float8 as final from onchain._ponder_checkpoint",
    );
    return final > Number(timestamp) + 15;
  });
}

let database: string;
let databases = 0;

beforeEach(async () => {
  database = `launchpad_${++databases}`;
  await clickHouse.query(`create database ${database}`);
});

const addressOf = (url: string) =>
  `clickhouse://default:${encodeURIComponent(clickHousePassword)}@${new URL(url).host}/${database}`;

const startSink = (args: string[], to = addressOf(clickHouse.url)) =>
  runProgram(path.join(projectDir, "lake/command/sink.ts"), {
    env: { DATABASE_URL: service.database.analystUrl },
    args: ["--to", to, ...args],
  });

async function runSink(args: string[], to?: string) {
  const program = startSink(args, to);
  return { code: await program.exited, output: program.messages() };
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Opens a sink in this process: each is as one that has just been started, since a sink remembers nothing. */
async function openSinkAt(
  url: string,
  { live = false, snapshotSeconds = 0, followMs = 1e9 } = {},
): Promise<Sink> {
  const { signal } = new AbortController();
  const pool = new pg.Pool({ connectionString: service.database.analystUrl, max: 3 });
  closers.push(() => pool.end());
  const options = {
    pool,
    schema: "onchain",
    signal,
    rangeSeconds: 1,
    snapshotSeconds,
    followMs,
    progress() {},
  };
  // So few that a range takes several inserts.
  return await openSink({
    ...options,
    live,
    rowsPerInsert: 100,
    clickHouse: await openClickHouse(parseAddress(addressOf(url)), signal),
  });
}

/** Starts a proxy in front of ClickHouse. */
async function startProxy(
  pass: (
    request: Received,
    forward: () => ReturnType<typeof forwardToClickHouse>,
  ) => ReturnType<typeof forwardToClickHouse>,
): Promise<HttpServer> {
  const proxy = await startHttpServer((request) => pass(request, () => forwardToClickHouse(request)));
  closers.push(() => proxy.close());
  return proxy;
}

async function forwardToClickHouse({ url, headers, body }: Received) {
  const login = ["x-clickhouse-user", "x-clickhouse-key"].map((name) => [name, String(headers[name])]);
  const answer = await fetch(`${clickHouse.url}/${url.search}`, {
    method: "POST",
    headers: Object.fromEntries(login),
    body: new Uint8Array(body),
  });
  const code = answer.headers.get("x-clickhouse-exception-code");
  return {
    status: answer.status,
    body: Buffer.from(await answer.arrayBuffer()),
    ...(code === null ? {} : { headers: { "x-clickhouse-exception-code": code } }),
  };
}

type Horizon = { events_until: number; snapshot_block: number; snapshot_timestamp: number };

const horizon = async () =>
  JSON.parse(
    await clickHouse.query(
      `select * from ${database}.horizon format JSONEachRow settings output_format_json_quote_64bit_integers = 0`,
    ),
  ) as Horizon;

/** Compares the tables in ClickHouse with Postgres's: each row once, and each value to the last digit. `isFull` is the last copy. */
async function expectEqualRows({ isFull = true } = {}): Promise<void> {
  const { events_until: end, snapshot_timestamp: final } = await horizon();
  expect(end).toBeGreaterThan(final - 60);
  for (const [table, { from, order }] of Object.entries(eventRows)) {
    const step = { candles: 3_600, past_balances: 86_400 }[table] ?? 1;
    const expected = await postgresRows(service.database, { from: from(end - (end % step)), order });
    expect(expected.length, table).toBeGreaterThan(0);
    expect(await clickHouse.rows(`${database}.${table}`, order), table).toEqual(expected);
  }
  for (const [table, [from, order]] of Object.entries(snapshotRows)) {
    if (table === "token_symbols" && !isFull) continue;
    const expected = await postgresRows(service.database, { from, order });
    expect(await clickHouse.rows(`${database}.${table} final`, order), table).toEqual(expected);
  }
  const registered = await clickHouse.rows(`${database}.registrations final`, "mint");
  const columns = Object.keys(registered[0] ?? {});
  expect(columns).not.toContain("signature");
  expect(registered).toEqual(
    await postgresRows(service.database, { from: "offchain.registration", order: "mint", columns }),
  );
}

/** Asks the analysts' questions. lake.test.ts compares the answers in full, over files with the same columns; here are their lengths. */
async function expectAnswers(): Promise<void> {
  await openClickHouseViews(clickHouse.query, { database });
  await updateViewsOnce(service.database.url);
  const { events_until: until } = await horizon();
  const client = new pg.Client({ connectionString: service.database.analystUrl });
  await client.connect();
  closers.push(() => client.end());
  for (const question of sharedQuestions) {
    const { rows } = await client.query(await readSharedQuestion(question), [56, 0, until]);
    const answer = await askClickHouse(clickHouse.query, question, { chain: 56, until });
    expect(answer.length, question).toBe(rows.length);
  }
}

test("one run writes every row, with the rights of the analysts' role, and the next adds nothing", async () => {
  expect(await runSink(["--once"])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/\d+ rows written to/),
  });
  await expectEqualRows();
  await expectAnswers();
  expect(await runSink(["--once"])).toMatchObject({
    code: 0,
    output: expect.stringContaining("nothing new"),
  });
  await expectEqualRows();
});

test("it follows the chain, and goes on where it was killed", async () => {
  const first = startSink([]);
  await until("the first rows", async () => (await horizonIfAny())?.snapshot_block !== undefined);
  first.kill("SIGKILL");
  await first.exited;
  const before = await horizon();
  const second = startSink([]);
  await tradeUntilFinal(22);
  const [last] = await service.database.query<{ time: number }>(
    "select max(timestamp)::float8 as time from onchain.trade",
  );
  await until("later rows", async () => (await horizon()).events_until > (last?.time ?? Number.NaN));
  expect((await horizon()).events_until).toBeGreaterThan(before.events_until);
  second.kill("SIGINT");
  expect([await second.exited, second.messages()]).toEqual([0, expect.stringContaining("SIGINT: stopping")]);
  expect(await runSink(["--once", "--live"])).toMatchObject({ code: 0 });
  await expectEqualRows();
  expect(await liveRows()).toEqual(await currentRows());
});

const horizonIfAny = () => horizon().catch(() => undefined);

test("no row is lost or doubled if each request fails, and each answer is lost, and a new sink goes on", async () => {
  const seen = new Map<string, number>();
  const counts = { refused: 0, lost: 0 };
  const proxy = await startProxy(async ({ url, body }, forward) => {
    // A run that ends at a read ends just as it does at the next write.
    if (/^select/.test(body.toString())) return await forward();
    const key = createHash("sha256").update(url.search).update(body).digest("hex");
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    if (times === 1) {
      counts.refused++;
      throw new Error("not forwarded");
    }
    const answer = await forward();
    if (times > 2) return answer;
    counts.lost++;
    throw new Error("the answer is lost");
  });
  let failures = 0;
  for (let isDone = false; !isDone && failures <= counts.refused + counts.lost; ) {
    try {
      await writeFinal(await openSinkAt(proxy.url));
      isDone = true;
    } catch (error) {
      expect(error).toMatchObject({ name: expect.stringMatching(/ClickHouseError|StartError/) });
      failures++;
    }
    for (const close of closers.splice(1)) await close();
  }
  expect(failures).toBe(counts.refused + counts.lost);
  expect(failures).toBeGreaterThan(100);
  await expectEqualRows();
});

/** The tables with live rows too: all of them in Postgres, final or not, and their order. */
const liveEvents = Object.entries(eventRows).flatMap(([table, { from, order }]) =>
  table === "past_balances" ? [] : [[table, from(2 ** 40), order] as const],
);
const liveSnapshots = Object.entries(snapshotRows).flatMap(([table, [from, order]]) =>
  table === "token_symbols" ? [] : [[table, from, order] as const],
);

/** The rows of the views that have live rows too, by view. */
async function liveRows(tables = [...liveEvents, ...liveSnapshots]) {
  const rows = tables.map(async ([table, , order]) => {
    return [table, await clickHouse.rows(`${database}.${table}_all`, order)] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

async function currentRows(tables = [...liveEvents, ...liveSnapshots]) {
  const rows = tables.map(async ([table, from, order]) => {
    return [table, await postgresRows(service.database, { from, order })] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** Trades in blocks that aren't final, some of them of the same second. */
async function tradeLive(number: number): Promise<void> {
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator, `Live ${number}`, `L${number}`);
  await chain.buy(buyer, token, 10n ** 15n);
  await chain.transfer(buyer, token, creator, 5n);
  await chain.buy(buyer, token, 2n * 10n ** 15n);
  await service.indexer.untilIndexed(56, await chain.head());
}

test("with live rows, the views have what Postgres has, each row once, also after a reorg", async () => {
  const sink = await openSinkAt(clickHouse.url, { live: true, snapshotSeconds: 1e9 });
  const { write: writeLive } = createLiveWriter(sink);
  await writeFinal(sink);
  // Before the first version, the views have the final rows.
  const { events_until: end } = await horizon();
  expect((await liveRows()).trades).toEqual(
    await postgresRows(service.database, { from: eventRows.trades?.from(end) ?? "", order: "id" }),
  );

  const snapshot = await chain.testClient.snapshot();
  await tradeLive(1);
  expect(await writeLive()).toBeGreaterThan(0);
  const before = await currentRows();
  expect(await liveRows()).toEqual(before);
  expect(await writeLive()).toBe(0);

  await chain.testClient.revert({ id: snapshot });
  await chain.testClient.mine({ blocks: 2, interval: 3 });
  await tradeLive(2);
  await chain.testClient.mine({ blocks: 4 });
  await service.indexer.untilIndexed(56, await chain.head());
  await until(
    "the reorg",
    async () => (await currentRows()).trades?.at(-1)?.tx !== before.trades?.at(-1)?.tx,
  );
  expect(await liveRows()).toEqual(before);
  await writeLive();
  const after = await currentRows();
  expect(await liveRows()).toEqual(after);
  expect(after.trades).not.toEqual(before.trades);

  // What becomes final is in both tables until the next version, and in the views once.
  const { snapshot_block: copied } = await horizon();
  await tradeUntilFinal(50);
  await writeFinal(sink);
  expect((await horizon()).events_until).toBeGreaterThan(end);
  for (const [table, rows] of Object.entries(await liveRows(liveEvents))) expect(rows).toEqual(after[table]);
  // A copy that is later than the live rows takes their place.
  expect((await horizon()).snapshot_block).toBeGreaterThan(copied);
  expect(await liveRows(liveSnapshots)).toEqual(await currentRows(liveSnapshots));
  await writeLive();
  expect(await liveRows()).toEqual(await currentRows());
  await expectEqualRows({ isFull: false });
});

test("between full copies, the rows that have changed follow, and live ones before they are final", async () => {
  const sink = await openSinkAt(clickHouse.url, { live: true, snapshotSeconds: 1e9 });
  const live = createLiveWriter(sink);
  await writeFinal(sink, live);
  const copies = async () =>
    (
      await clickHouse.query(
        `select countIf(since = 0), countIf(since > 0) from ${database}.sink_ranges where state = 'snapshot' format TabSeparated`,
      )
    )
      .trim()
      .split("\t")
      .map(Number);
  expect(await copies()).toEqual([1, 0]);
  const sent = async () => Number(await clickHouse.query(`select count() from ${database}.holders`));
  const [full, holders] = [await sent(), await currentRows(liveSnapshots)];

  // What a sink has seen before it became final, and what it has not, because it had not begun or was suspended.
  await tradeLive(59);
  await writeFinal(sink, live);
  await mineUntilFinal();
  await tradeUntilFinal(60);
  await writeFinal(sink, live);
  await expectEqualRows({ isFull: false });
  await tradeUntilFinal(61);
  await writeFinal(await openSinkAt(clickHouse.url, { snapshotSeconds: 1e9 }));
  await expectEqualRows({ isFull: false });
  expect(await currentRows(liveSnapshots)).not.toEqual(holders);
  const [fullCopies, others = 0] = await copies();
  expect([fullCopies, others > 1]).toEqual([1, true]);
  // Not all of them again.
  expect((await sent()) - full).toBeLessThan(full / 2);

  // The views have more than what is final, and the rows of one block.
  await tradeLive(62);
  const final = await currentRows(liveSnapshots);
  await writeFinal(sink, live);
  expect(await liveRows()).toEqual(await currentRows());
  expect(await clickHouse.rows(`${database}.holders final`, "token, account")).not.toEqual(final.holders);

  // What a sink has seen comes without a look at the times of all rows.
  const { snapshot_timestamp: copied } = await horizon();
  await service.database.falsify(
    "update onchain.holder set changed_at = 0 where ctid = (select max(ctid) from onchain.holder where changed_at > $1)",
    [copied],
  );
  const [last] = await service.database.query<{ block: string }>(
    "select max(block) as block from onchain.trade",
  );
  await until("these rows", async () => {
    await chain.testClient.mine({ blocks: 10, interval: 1 });
    await service.indexer.untilIndexed(56, await chain.head());
    await writeFinal(sink, live);
    return (await horizon()).snapshot_block > Number(last?.block);
  });
  await expectEqualRows({ isFull: false });
});

test("a copy and live rows that take longer than blocks need to become final are followed by what has changed since, and live rows go on", async () => {
  const liveBlock = async () =>
    Number(
      await clickHouse.query(`select max(live_block) from ${database}.live_horizon format TabSeparated`),
    );
  let isHeld = false;
  let pass: PromiseWithResolvers<void> | undefined;
  /** Few blocks at a time: they become final in the order in which they are seen. */
  const trade = async (number: number) => {
    await tradeLive(number);
    await chain.testClient.mine({ blocks: 20, interval: 1 });
    return Number(await chain.head());
  };
  const expectLiveRows = async (block: number) => {
    await until("live rows amid the copy", async () => (await liveBlock()) === block);
    expect(await liveRows()).toEqual(await currentRows());
  };
  const proxy = await startProxy(async ({ url }, forward) => {
    const query = url.searchParams.get("query");
    if (query?.includes("into live_trades ")) await pass?.promise;
    // The first rows of the full copy.
    if (isHeld && query?.includes("into tokens ")) {
      isHeld = false;
      for (let number = 70; number < 73; number++) await expectLiveRows(await trade(number));
      pass = Promise.withResolvers();
      for (let number = 73; number < 76; number++) {
        const block = await trade(number);
        await until("a look", async () => sink.followed.get(56)?.head === block);
      }
      pass.resolve();
      await expectLiveRows(await trade(76));
    }
    return await forward();
  });
  const sink = await openSinkAt(proxy.url, { live: true, snapshotSeconds: 1e9, followMs: 100 });
  const live = createLiveWriter(sink);
  const follow = async () => {
    await chain.testClient.mine({ blocks: 10, interval: 1 });
    await service.indexer.untilIndexed(56, await chain.head());
    await writeFinal(sink, live);
  };
  await follow();
  // The next final block brings a full copy.
  sink.snapshotSeconds = 0.1;
  isHeld = true;
  await until("a copy", async () => {
    await follow();
    return !isHeld;
  });
  sink.snapshotSeconds = 1e9;
  const { snapshot_block: copied, snapshot_timestamp: since } = await horizon();
  const [last] = await service.database.query<{ final: number; traded: string }>(
    `select substr(finalized_checkpoint, 27, 16)::int as final, (select max(block) from onchain.trade) as traded
     from onchain._ponder_checkpoint`,
  );
  expect(last?.final).toBeGreaterThan(copied + 60);

  // No look at the times of all rows: what has changed is known.
  await service.database.falsify(
    "update onchain.holder set changed_at = 0 where ctid = (select max(ctid) from onchain.holder where changed_at > $1)",
    [since],
  );
  await until("these rows", async () => {
    await follow();
    return (await horizon()).snapshot_block > Number(last?.traded);
  });
  await expectEqualRows({ isFull: false });
  expect(await liveRows()).toEqual(await currentRows());
});

test("whatever fails while live rows are written, the views have the rows of one moment", async () => {
  const first = await openSinkAt(clickHouse.url, { live: true });
  await writeFinal(first);
  await tradeLive(3);
  await createLiveWriter(first).write();
  const before = await currentRows();
  await tradeLive(4);
  const after = await currentRows();
  let failAt = 0;
  let requests = 0;
  const proxy = await startProxy(async (_, forward) => {
    requests++;
    if (requests === failAt) throw new Error("not forwarded");
    const answer = await forward();
    if (requests === failAt - 0.5) throw new Error("the answer is lost");
    return answer;
  });
  const sink = await openSinkAt(proxy.url, { live: true });
  let isShown = false;
  const seen = { before: 0, after: 0 };
  for (failAt = 1; ; failAt += 0.5) {
    requests = 0;
    const failure = await createLiveWriter(sink)
      .write()
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    const shown = await liveRows();
    isShown ||= shown.trades?.length === after.trades?.length;
    expect(shown).toEqual(isShown ? after : before);
    seen[isShown ? "after" : "before"]++;
    if (failure === undefined) break;
    expect(failure).toMatchObject({ name: "ClickHouseError" });
  }
  expect(seen.before).toBeGreaterThan(8);
  expect(seen.after).toBeGreaterThan(2);
  // Nothing is left of the versions that failed.
  await createLiveWriter(first).write();
  await createLiveWriter(first).write();
  for (const table of ["sink_live", "live_trades", "live_candles", "live_holders"]) {
    const column = table === "sink_live" ? "version" : "live_version";
    const versions = await clickHouse.query(
      `select uniqExact(${column}) from ${database}.${table} format TabSeparated`,
    );
    expect(Number(versions), table).toBeLessThanOrEqual(2);
  }
});

test("two sinks at once write each row once, also when both claim the same range with different ends", async () => {
  const overtaken: number[] = [];
  const proxy = await startProxy(async ({ url, body }, forward) => {
    if (
      url.searchParams.get("query")?.includes("into sink_ranges") &&
      body.includes("claimed") &&
      overtaken.length < 2
    ) {
      // Before this claim arrives, another sink, which sees more final blocks, claims the same range.
      overtaken.push(Number(body.toString().split("\t")[2]));
      await tradeUntilFinal(30 + overtaken.length);
      await writeFinal(await openSinkAt(clickHouse.url));
    }
    return await forward();
  });
  await writeFinal(await openSinkAt(proxy.url));
  // The first claim was of a whole day, the second is of a part, whose end is another for each.
  await tradeUntilFinal(40);
  await writeFinal(await openSinkAt(proxy.url));
  expect(overtaken.length).toBe(2);
  const sinks = await Promise.all([1, 2, 3].map(() => openSinkAt(clickHouse.url)));
  await tradeUntilFinal(41);
  await Promise.all(sinks.map((sink) => writeFinal(sink)));
  await expectEqualRows();
  const claims = await clickHouse.query(
    `select count(), uniqExact(range) from ${database}.sink_ranges where state = 'claimed' format TabSeparated`,
  );
  const [all, distinct] = claims.trim().split("\t");
  expect(all).toBe(distinct);
});

test("what can't work ends with one line that says why", async () => {
  const to = addressOf(clickHouse.url);
  const expectError = async (address: string, message: string | RegExp) => {
    const { code, output } = await runSink(["--once"], address);
    expect([code, output]).toEqual([1, expect.stringMatching(message)]);
    expect(output).not.toContain(encodeURIComponent(clickHousePassword));
  };
  await expectError(
    to.replace(/default:[^@]+@/, "default:wrong@"),
    "refuses user default: name or password is wrong",
  );
  await expectError(to.replace(database, "nowhere"), "has no database nowhere: create it");
  await expectError("clickhouse://nobody.invalid/x", "there is no host nobody.invalid");
  await expectError(
    `clickhouse://127.0.0.1:${await freePort()}`,
    /nothing listens at 127\.0\.0\.1:\d+: ClickHouse's HTTP interface is on port 8123/,
  );
  await expectError(`${to}?secure`, "no TLS with 127.0.0.1");
  await expectError(new URL(service.indexer.url).href, "--to is no address of ClickHouse");
  await expectError(addressOf(service.indexer.url), "is that ClickHouse's HTTP interface\\?");
  const old = await startHttpServer(async () => ({ status: 200, body: '{"version":"18.16.1"}\n' }));
  closers.push(() => old.close());
  await expectError(addressOf(old.url), /is ClickHouse 18\.16\.1: it has to be 23\.8 or later/);
  await clickHouse.query(
    `create table ${database}.trades (chain_id Int32) engine = MergeTree order by chain_id`,
  );
  await expectError(to, "the table trades of .* has no column id, which has to be String: drop the table");
});

test("a database of another index is refused", async () => {
  expect(await runSink(["--once"])).toMatchObject({ code: 0 });
  await clickHouse.query(
    `insert into ${database}.sink_ranges select * replace (range + 1 as range, replace(source, '"onchain"', '"other"') as source)
     from ${database}.sink_ranges where state = 'written' order by range desc limit 1`,
  );
  expect(await runSink(["--once"])).toMatchObject({
    code: 1,
    output: expect.stringContaining(
      "has the rows of another index: DATABASE_SCHEMA was other and is onchain",
    ),
  });
});

// Runs last, since it takes blocks back that the service has indexed.
test("an index that was made again is continued, and refused if the chain has replaced final blocks meanwhile", async () => {
  const lake = await temporaryFolder();
  closers.push(() => lake.remove());
  const runLake = async () => {
    const program = runProgram(path.join(projectDir, "lake/command/lake.ts"), {
      env: { DATABASE_URL: service.database.analystUrl },
      args: ["--to", lake.folder, "--intraday"],
    });
    return { code: await program.exited, output: program.messages() };
  };
  const indexAgain = async (changeChain: () => Promise<unknown>) => {
    await service.stop();
    await changeChain();
    await startIndexing();
  };
  // Without what the other tests have made up.
  await indexAgain(async () => {});
  await tradeUntilFinal(90);
  const fork = await chain.testClient.snapshot();
  expect(await runSink(["--once"])).toMatchObject({ code: 0 });
  expect(await runLake()).toMatchObject({ code: 0 });

  await indexAgain(async () => {});
  await tradeUntilFinal(91);
  expect(await runSink(["--once"])).toMatchObject({ code: 0 });
  await expectEqualRows();
  expect(await runLake()).toMatchObject({ code: 0, output: expect.stringContaining("exported") });

  await indexAgain(() => chain.testClient.revert({ id: fork }));
  const behind = { code: 1, output: expect.stringContaining("it lags, or was restored from a backup") };
  expect(await runSink(["--once"])).toMatchObject(behind);
  expect(await runLake()).toMatchObject(behind);
  // One more than before, for as many blocks at least.
  await tradeUntilFinal(92);
  await tradeUntilFinal(93);
  const rows = () =>
    clickHouse.query(
      `select (select count() from ${database}.sink_ranges), (select count() from ${database}.trades) format TabSeparated`,
    );
  const before = await rows();
  const refused = { code: 1, output: expect.stringContaining("chain 56 has other events up to block") };
  expect(await runSink(["--once"])).toMatchObject(refused);
  expect(await runLake()).toMatchObject(refused);
  expect(await rows()).toBe(before);
});
