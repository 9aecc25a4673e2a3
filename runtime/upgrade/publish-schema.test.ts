import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { requestRepair } from "../../chain-access/history/repair-requests.ts";
import { onConnection } from "../../offchain/connection.ts";
import { readLiveSchemas, recordLiveSchema } from "../../offchain/live-schema.ts";
import { pauseJournal } from "../../offchain/stream-adoption.ts";
import { createDatabase } from "../../test/service/database.ts";
import { publishIndexedSchema, switchBack, switchSchema } from "./publish-schema.ts";
import { beginRepair } from "./repair.ts";

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

test("a schema that a process with its own DATABASE_SCHEMA has filled is repaired once it is live, and refused before it is complete", async () => {
  const database = await createDatabase();
  onTestFinished(database.drop);
  await onConnection(database.url, async (client) => {
    await recordLiveSchema(client, "onchain");
    const publish = (schema: string) => publishIndexedSchema(client, schema);
    const refused = "the schema mine is not made live";
    await expect(publish("mine")).rejects.toThrow(`${refused}: nothing was ever indexed into it`);
    await client.query(`create schema mine; create table mine._ponder_checkpoint (chain_id int8, finalized_checkpoint text);
      create table mine._ponder_meta as select 'app' as key, '{"is_ready": 0}'::jsonb as value`);
    await expect(publish("mine")).rejects.toThrow(`${refused}: its history is not complete yet`);
    await requestRepair(client, { chainId: 56, fromBlock: 7, cause: "operator", reason: "why" });
    expect(await beginRepair(client, "mine")).toBeUndefined();

    await client.query(`update mine._ponder_meta set value = '{"is_ready": 1}'`);
    await publish("mine");
    expect((await readLiveSchemas(client)).map(({ schema }) => schema)).toEqual(["mine", "onchain"]);
    expect(await beginRepair(client, "mine")).toBe("mine_2");
    await recordLiveSchema(client, "mine_2");
    await expect(publish("mine")).rejects.toThrow("it has been repaired in another one");
  });
});
