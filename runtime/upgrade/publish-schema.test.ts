import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readLiveSchemas, recordLiveSchema } from "../../offchain/live-schema.ts";
import { pauseJournal } from "../../offchain/stream-adoption.ts";
import { createDatabase } from "../../test/service/database.ts";
import { switchBack, switchSchema } from "./publish-schema.ts";

const adoption = { from: "onchain", to: "onchain_2" };

test("a switch whose COMMIT goes on after the new version is given up is undone too", async () => {
  const database = await createDatabase();
  const { url, adminUrl, query } = database;
  const disk = new pg.Client({ connectionString: url });
  const admin = new pg.Client({ connectionString: adminUrl });
  await Promise.all([disk.connect(), admin.connect()]);
  onTestFinished(async () => {
    await Promise.all([disk.end(), admin.end()]);
    await database.drop();
  });
  await recordLiveSchema(disk, adoption.from);
  await pauseJournal(disk, adoption.to);
  // Holds up each COMMIT that changes the live schema, as a slow disk or a synchronous replica does.
  await admin.query(`
    create function public.sync() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(77); return null; end $$;
    create constraint trigger sync after insert on offchain.live_schema deferrable initially deferred
      for each row execute function public.sync()`);
  await disk.query("select pg_advisory_lock(77)");
  const waiting = (condition: string) =>
    query<{ pid: number; text: string }>(
      `select pid, query as text from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and ${condition}`,
    );

  const switching = switchSchema(url, { ...adoption, settled: "" }).catch(() => "lost");
  await expect.poll(() => waiting("query = 'commit'")).toHaveLength(1);
  let isUndone = false;
  const undone = switchBack(url, adoption).finally(() => {
    isUndone = true;
  });
  await expect
    .poll(async () => isUndone || (await waiting("query like '%pg_advisory_lock(%'")).length > 0)
    .toBe(true);
  await disk.query("select pg_advisory_unlock(77)");
  await Promise.all([switching, undone]);

  expect(await readLiveSchemas(disk)).toMatchObject([{ schema: adoption.from }]);
  expect(await query("select schema from offchain.stream_pause")).toEqual([{ schema: adoption.to }]);
});
