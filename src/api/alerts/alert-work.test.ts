import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { schemaLocks } from "../../../offchain/advisory-locks.ts";
import { createAlertStore } from "../../../offchain/alert-store.ts";
import { onConnection } from "../../../offchain/connection.ts";
import { recordLiveSchema } from "../../../offchain/live-schema.ts";
import { restartStream, saveStreamState } from "../../../offchain/stream-store.ts";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { startAlertWork } from "./alert-work.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

/** Starts to work with a service's settings. No message is ever to be sent. */
function startWork(name: string) {
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  return startAlertWork({
    databaseUrl: database.url,
    pool,
    store: createAlertStore(pool),
    attempt: () => Promise.reject(new Error("nothing is sent")),
    settings: {} as Parameters<typeof startAlertWork>[0]["settings"],
    retentionHours: 1,
    name,
  });
}

test("a process delivers nothing from a schema into which nobody indexes, once another one is live", async () => {
  const db = drizzle(new pg.Pool({ connectionString: database.url, max: 1 }));
  const state = { schema: "onchain", chainId: 56, stamp: null, build: "", trigger: "", latestBlock: 0 };
  const begun = await restartStream(db, "onchain", 56);
  await saveStreamState(db, { ...state, compared: "", settled: "", settledAt: 0 }, begun);
  await onConnection(database.url, async (indexer) => {
    await indexer.query("select pg_advisory_lock($1, hashtext('onchain'))", [schemaLocks]);
    await recordLiveSchema(indexer, "onchain");
    const [first, second] = [startWork("first"), startWork("second")];
    const deliverers = () => [first, second].filter((work) => work.state() !== undefined).length;
    await expect.poll(deliverers, { timeout: 20_000 }).toBe(1);
    // As npm run schemas -- live does while the process that indexes has not ended yet.
    await recordLiveSchema(indexer, "onchain_2");
    await indexer.query("select pg_advisory_unlock_all()");
    await expect.poll(deliverers, { timeout: 20_000 }).toBe(0);
    const [work] = await database.query("select lease_until < now() as is_free from offchain.alert_work");
    expect(work).toEqual({ is_free: true });
    await Promise.all([first.stop(), second.stop()]);
  });
  await db.$client.end();
});

test("it may be stopped twice, as when a file is edited during npm run dev", async () => {
  const work = startWork("stopped_twice");
  await expect(Promise.all([work.stop(), work.stop()])).resolves.toBeDefined();
  await expect(work.stop()).resolves.toBeUndefined();
});
