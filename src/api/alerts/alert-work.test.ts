import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAlertStore } from "../../../offchain/alert-store.ts";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { startAlertWork } from "./alert-work.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

test("it may be stopped twice, as when a file is edited during npm run dev", async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  const work = startAlertWork({
    databaseUrl: database.url,
    pool,
    store: createAlertStore(pool),
    attempt: () => Promise.reject(new Error("nothing is sent")),
    settings: {} as Parameters<typeof startAlertWork>[0]["settings"],
    retentionHours: 1,
    name: "stopped_twice",
  });
  await expect(Promise.all([work.stop(), work.stop()])).resolves.toBeDefined();
  await expect(work.stop()).resolves.toBeUndefined();
});
