import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AlertStore, createAlertStore } from "../../../offchain/alert-store.ts";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { openDatabase } from "../database/database.ts";
import { startDispatcher } from "./dispatcher.ts";
import { newSecret, sealReceiver } from "./receiver-secrets.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const id = "alert_1";
const mint = `0x${"ab".repeat(20)}`;

type Attempt = Parameters<typeof startDispatcher>[0]["attempt"];
const accept: Attempt = async () => ({
  status: 204,
  ms: 1,
  error: null,
  errorCode: null,
  answer: "",
  retryAfter: 0,
});

const key = randomBytes(32);

/** Takes the lease and begins to deliver. `change` is what differs in the store. */
async function dispatch(change: (store: AlertStore) => Partial<AlertStore>, attempt = accept) {
  const store = createAlertStore(pool);
  const lease = await store.takeLease(20);
  if (lease === undefined) throw new Error("the lease was taken");
  return await startDispatcher(
    {
      db: openDatabase(pool),
      store: { ...store, ...change(store) },
      attempt,
      settings: { key } as Parameters<typeof startDispatcher>[0]["settings"],
      counts: { delivered: 0, failed: 0 },
      leaseSeconds: 20,
    },
    { ...lease, startedAt: performance.now(), end: { event: 0, version: 0, registration: undefined } },
  );
}

/** Follows one condition: the price of a token that has none yet rises to 1 BNB. `change` is what differs in the store. */
async function followCondition(change: (store: AlertStore) => Partial<AlertStore>) {
  // What conditions read of the index: nothing of this token, so that its price begins at 0.
  await database.query(`create schema if not exists onchain;
    create table onchain.token (chain_id int, address text, total_supply_raw numeric, circulating_raw numeric, holder_count int,
      creator_balance_raw numeric, insider_balance_raw numeric, sniper_balance_raw numeric);
    create table onchain.curve (chain_id int, token text, price_bnb_x36 numeric, close_price_usd_x36 numeric, progress float8);
    insert into offchain.stream_state (schema, chain_id, begun, build, trigger, latest_block, compared, settled, settled_at)
      values ('onchain', 56, 0, '', '', 0, '', '', 0)`);
  const store = createAlertStore(pool);
  const limits = { perWallet: 1, perAddress: 1, unverifiedPerHost: 1 };
  const rule = {
    type: "crosses",
    mint,
    metric: "priceBnb",
    above: "1",
    hysteresisPercent: 5,
    repeat: "always",
  };
  const sealed = sealReceiver(key, id, { url: "https://receiver.example/", secret: newSecret() });
  const alert = { id, owner: mint, chain_id: 56, rule, sealed, host: "", client: "", batch: 1, digest: null };
  const dispatcher = await dispatch(change);
  async function subscribe(): Promise<void> {
    await store.create({ ...alert, position: "0" }, limits);
    await store.change(id, () => ({ status: "active" }));
    await dispatcher.reload();
    await dispatcher.advance();
  }
  return { dispatcher, subscribe };
}

/** Adds the trade of a block to the journal, or its removal. */
async function addTrade(block: number, price: string, isRemoved = false): Promise<void> {
  const amounts = { bnbAmountWei: "1", priceAfterBnb: price, progress: 1 };
  const data = { kind: "trade", trader: mint, timestamp: "2026-01-01T00:00:00.000Z", ...amounts };
  await database.query("update offchain.stream_event set current = false where position = $1", [
    `${block}-0`,
  ]);
  await database.query(
    `insert into offchain.stream_event (schema, chain_id, position, kind, mint, fingerprint, data, removed, current)
     values ('onchain', 56, $1, 'trade', $2, '', $3, $4, $5)`,
    [`${block}-0`, mint, JSON.stringify(data), isRemoved, !isRemoved],
  );
}

const readKinds = async () =>
  (await database.query<{ kind: string }>("select kind from offchain.alert_firing order by id")).map(
    ({ kind }) => kind,
  );

test("a condition that is met while its owner changes the subscription is met once, and retracted if its trade is removed", async () => {
  let isChanged = false;
  const { dispatcher, subscribe } = await followCondition((store) => ({
    async saveEvaluation(...evaluation) {
      if (evaluation[3].length > 0 && !isChanged) {
        isChanged = true;
        await store.change(id, () => ({ batch: 10 }));
        await dispatcher.reload();
      }
      return await store.saveEvaluation(...evaluation);
    },
  }));
  await subscribe();
  await addTrade(1, "2");
  await dispatcher.advance();
  expect([isChanged, await readKinds()]).toEqual([true, ["met"]]);
  await addTrade(2, "3");
  await dispatcher.advance();
  expect(await readKinds()).toEqual(["met"]);
  await addTrade(2, "3", true);
  await addTrade(1, "2", true);
  await dispatcher.advance();
  expect(await readKinds()).toEqual(["met", "retracted"]);
  await dispatcher.release();
});

test("a new condition does not miss the trade that comes while its first value is stored", async () => {
  let hasTraded = false;
  const { dispatcher, subscribe } = await followCondition((store) => ({
    async saveEvaluation(...evaluation) {
      if (!hasTraded) {
        hasTraded = true;
        await addTrade(1, "2");
        // The trade may be evaluated now, or only after this.
        await Promise.race([dispatcher.advance(), setTimeout(500)]);
      }
      return await store.saveEvaluation(...evaluation);
    },
  }));
  await subscribe();
  expect([hasTraded, await readKinds()]).toEqual([true, ["met"]]);
  await dispatcher.release();
});

test("a process that can't read all subscriptions sends to none of those that it has read", async () => {
  const { dispatcher, subscribe } = await followCondition(() => ({}));
  await subscribe();
  await dispatcher.release();
  await database.query(
    "insert into offchain.alert_firing (subscription, kind, data) values ($1, 'gap', '{}')",
    [id],
  );
  const senders: string[] = [];
  const sentBy =
    (name: string): Attempt =>
    async (...attempt) => {
      senders.push(name);
      return await accept(...attempt);
    };
  let pages = 0;
  const failing = dispatch(
    (store) => ({
      async readChanged(...from) {
        if (pages++ > 0) throw new Error("the database is gone");
        const rows = await store.readChanged(...from);
        // As many as make a page, after which the next one is read.
        return Array.from({ length: 1_000 }, () => rows).flat();
      },
    }),
    sentBy("the first"),
  );
  await expect(failing).rejects.toThrow("the database is gone");
  await database.query("update offchain.alert_work set lease_until = '-infinity'");
  const next = await dispatch(() => ({}), sentBy("the next"));
  await expect.poll(() => senders).toContain("the next");
  await next.release();
  expect(senders).toEqual(["the next"]);
});
