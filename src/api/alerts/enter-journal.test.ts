import { randomBytes } from "node:crypto";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAlertStore } from "../../../offchain/alert-store.ts";
import { adoptJournal, copyJournal } from "../../../offchain/stream-adoption.ts";
import {
  appendStreamEvents,
  restartStream,
  retractStreamEvents,
  saveStreamState,
} from "../../../offchain/stream-store.ts";
import { until } from "../../../test/service/condition.ts";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { openDatabase } from "../database/database.ts";
import { formatCursor } from "../stream/cursor.ts";
import { readStreamEnd } from "../stream/stream-page.query.ts";
import { startDispatcher } from "./dispatcher.ts";
import { newSecret, sealReceiver } from "./receiver-secrets.ts";

/*
 * A process with another DATABASE_SCHEMA takes over the delivery. The journal of "earlier" is the one from which messages came until
 * then, the one of "onchain" belongs to these processes. Both number their events from one sequence.
 */

let database: TestDatabase;
let pool: pg.Pool;
let db: ReturnType<typeof drizzle>;

beforeEach(async () => {
  statements = [];
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
  db = drizzle(pool);
  // What conditions read of the index: nothing of this token, so that its price begins at 0.
  await database.query(`create schema if not exists onchain;
    create table onchain.token (chain_id int, address text, total_supply_raw numeric, circulating_raw numeric, holder_count int,
      creator_balance_raw numeric, insider_balance_raw numeric, sniper_balance_raw numeric);
    create table onchain.curve (chain_id int, token text, price_bnb_x36 numeric, close_price_usd_x36 numeric, progress float8)`);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const mint = `0x${"ab".repeat(20)}`;
const key = randomBytes(32);

/** Begins a schema's journal. */
async function begin(schema: string): Promise<void> {
  const state = { schema, chainId: 56, stamp: null, build: "", trigger: "", latestBlock: 0 };
  const begun = await restartStream(db, schema, 56);
  await saveStreamState(db, { ...state, compared: "", settled: "", settledAt: 0 }, begun);
}

/** Adds trades to a schema's journal, with that many BNB as the price, in the block of that number. Resolves to the last one's number. */
async function addTrades(schema: string, ...prices: number[]): Promise<number> {
  const events = prices.map((price) => {
    const amounts = { tx: `0x${price}`, bnbAmountWei: "1", priceAfterBnb: String(price), progress: 1 };
    const data = { kind: "trade", trader: mint, timestamp: "2026-01-01T00:00:00.000Z", ...amounts };
    const place = { chainId: 56, position: `${Math.floor(price)}-0`, mint, creator: null };
    // As where the other version has further columns.
    const fingerprint = `${schema} ${price}`;
    return { ...place, fingerprint, kind: "trade" as const, data: JSON.stringify(data) };
  });
  await appendStreamEvents(db, schema, events);
  const [last] = await database.query<{ id: string }>(
    "select max(id) as id from offchain.stream_event where schema = $1",
    [schema],
  );
  return Number(last?.id);
}

const eventsRule = { type: "events", mint: [mint] };
const risesTo = (above: string) => ({
  type: "crosses",
  mint,
  metric: "priceBnb",
  above,
  hysteresisPercent: 0,
  repeat: "always",
});

/** Stores a subscription as whoever delivered before has left it. */
async function subscribe(id: string, rule: object, position: string, isBehind = false): Promise<void> {
  const sealed = sealReceiver(key, id, { url: `https://${id}.example/`, secret: newSecret() });
  const alert = { id, owner: mint, chain_id: 56, rule, sealed, host: "", client: "", batch: 1, digest: null };
  const limits = { perWallet: 9, perAddress: 9, unverifiedPerHost: 9 };
  await createAlertStore(pool).create({ ...alert, position }, limits);
  const condition = "above" in rule ? JSON.stringify({ isArmed: true, undo: [] }) : null;
  await database.query(
    "update offchain.alert_subscription set status = 'active', is_behind = $2, condition = $3 where id = $1",
    [id, isBehind, condition],
  );
}

type Delivered = { delivered: number; evaluated: number };

/** Notes up to which events everything was delivered and evaluated. */
const leaveAt = ({ delivered, evaluated }: Delivered) =>
  database.query("update offchain.alert_work set delivered = $1, evaluated = $2", [
    `${delivered}-0`,
    evaluated,
  ]);

/** The statements of the deliveries of a test. */
let statements: string[];

/** Delivers until every subscription has the last event of the journal. Resolves to what each got: trades by their price. */
async function deliver(): Promise<Record<string, string[]>> {
  const logger = { logQuery: (query: string) => void statements.push(query) };
  const received: Record<string, string[]> = {};
  const store = createAlertStore(pool);
  const [lease, end] = [await store.takeLease(20), await readStreamEnd(openDatabase(pool))];
  if (lease === undefined || end === undefined)
    throw new Error("the lease was taken, or there is no journal");
  const dispatcher = await startDispatcher(
    {
      db: drizzle(pool, { casing: "snake_case", logger }),
      store,
      async attempt({ url }, _, body) {
        const { type, data } = JSON.parse(body);
        const price = data.priceAfterBnb ?? data.value ?? "";
        const id = new URL(url).hostname.split(".")[0] ?? "";
        received[id] = [...(received[id] ?? []), `${type} ${price}`.trim()];
        return { status: 204, ms: 1, error: null, errorCode: null, answer: "", retryAfter: 0 };
      },
      settings: { key } as Parameters<typeof startDispatcher>[0]["settings"],
      counts: { delivered: 0, failed: 0 },
      leaseSeconds: 20,
    },
    { ...lease, startedAt: performance.now(), end },
  );
  await dispatcher.advance();
  await until(
    "everyone to have caught up",
    async () => {
      await dispatcher.renew();
      const [row] = await database.query<{ delivered: string; behind: string }>(
        `select delivered, (select count(*) from offchain.alert_subscription where is_behind) as behind from offchain.alert_work`,
      );
      return row?.delivered === formatCursor(end) && row.behind === "0" && dispatcher.state().behind === 0;
    },
    20_000,
  );
  await dispatcher.release();
  return received;
}

test("whoever had everything of another journal is told of a gap, and gets what that one lacked, once", async () => {
  for (const schema of ["earlier", "onchain"]) await begin(schema);
  // This journal is ahead of the other one, also by its numbers.
  await addTrades("onchain", 1, 2, 3);
  const first = await addTrades("earlier", 1);
  const last = await addTrades("earlier", 2);
  await subscribe("current", eventsRule, "0-0");
  await subscribe("behind", eventsRule, `${first}-0`, true);
  await subscribe("condition", risesTo("3"), "0");
  await leaveAt({ delivered: last, evaluated: last });
  expect(await deliver()).toEqual({
    current: ["gap", "trade 3"],
    behind: ["gap", "trade 2", "trade 3"],
    condition: ["gap", "met 3"],
  });
  // The next process of this schema goes on from there.
  await addTrades("onchain", 4);
  expect(await deliver()).toEqual({ current: ["trade 4"], behind: ["trade 4"] });
});

test("a trade that only the other journal had before a reorg is taken back", async () => {
  for (const schema of ["earlier", "onchain"]) await begin(schema);
  const removed = await addTrades("onchain", 1);
  const last = await addTrades("earlier", 1);
  await retractStreamEvents(db, "onchain", [removed]);
  await addTrades("onchain", 2);
  await subscribe("current", eventsRule, "0-0");
  await leaveAt({ delivered: last, evaluated: last });
  expect(await deliver()).toEqual({ current: ["gap", "removed 1", "trade 2"] });
});

test("a trade that is in the place of one that only the other journal had is sent", async () => {
  for (const schema of ["earlier", "onchain"]) await begin(schema);
  await addTrades("onchain", 1, 2.5);
  const last = await addTrades("earlier", 1, 2);
  await subscribe("current", eventsRule, "0-0");
  await leaveAt({ delivered: last, evaluated: last });
  expect(await deliver()).toEqual({ current: ["gap", "trade 2.5"] });
});

test("journals are compared once for all subscriptions that are at the same event", async () => {
  for (const schema of ["earlier", "onchain"]) await begin(schema);
  await addTrades("onchain", 1, 2);
  const last = await addTrades("earlier", 1);
  for (const id of ["first", "second", "third"]) await subscribe(id, eventsRule, "0-0");
  await leaveAt({ delivered: last, evaluated: last });
  const got = ["gap", "trade 2"];
  expect(await deliver()).toEqual({ first: got, second: got, third: got });
  expect(statements.filter((text) => text.includes("lacking as"))).toHaveLength(1);
});

test("a subscription that was paused while nobody delivered keeps its place in the other journal", async () => {
  for (const id of ["active", "paused"]) await subscribe(id, eventsRule, "1-0");
  await database.query("update offchain.alert_subscription set status = 'paused' where id = 'paused'");
  const store = createAlertStore(pool);
  const { lease = 0 } = (await store.takeLease(20)) ?? {};
  await store.changeJournal({ lease, delivered: "7-0", evaluated: 7 }, "5-0");
  expect(
    await database.query("select id, position, is_behind from offchain.alert_subscription order by id"),
  ).toEqual([
    { id: "active", position: "5-0", is_behind: true },
    { id: "paused", position: "1-0", is_behind: true },
  ]);
});

test("what came before the journal began is a gap, after which all of it follows", async () => {
  await begin("earlier");
  const last = await addTrades("earlier", 1, 2);
  await begin("onchain");
  await addTrades("onchain", 4);
  await subscribe("current", eventsRule, "0-0");
  await subscribe("condition", risesTo("4"), "0");
  await leaveAt({ delivered: last, evaluated: last });
  expect(await deliver()).toEqual({ current: ["gap", "trade 4"], condition: ["gap", "met 4"] });
});

test("a journal that was dropped since is a gap", async () => {
  for (const schema of ["earlier", "onchain"]) await begin(schema);
  await addTrades("onchain", 1);
  const last = await addTrades("earlier", 1);
  await addTrades("onchain", 2);
  await database.query("delete from offchain.stream_event where schema = 'earlier'");
  await database.query("delete from offchain.stream_state where schema = 'earlier'");
  await subscribe("current", eventsRule, "0-0");
  await subscribe("behind", eventsRule, `${last}-0`, true);
  await leaveAt({ delivered: last, evaluated: last });
  expect(await deliver()).toEqual({ current: ["gap", "trade 2"], behind: ["gap", "trade 2"] });
});

test("a journal that was handed over goes on without a gap", async () => {
  for (const schema of ["onchain", "earlier"]) await begin(schema);
  const last = await addTrades("earlier", 1, 2);
  await subscribe("current", eventsRule, "0-0");
  await subscribe("condition", risesTo("3"), "0");
  await leaveAt({ delivered: last, evaluated: last });
  await addTrades("earlier", 3);
  const client = await pool.connect();
  const adoption = { from: "earlier", to: "onchain" };
  await adoptJournal(
    client,
    { ...adoption, settled: await copyJournal(client, adoption) },
    async () => {},
  ).finally(() => client.release());
  expect(await deliver()).toEqual({ current: ["trade 3"], condition: ["met 3"] });
});
