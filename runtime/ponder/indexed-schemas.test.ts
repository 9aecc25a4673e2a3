import type pg from "pg";
import { expect, test } from "vitest";
import { schemaNameProblem } from "../../config/database.ts";
import { onConnection } from "../../offchain/connection.ts";
import { recordLiveSchema } from "../../offchain/live-schema.ts";
import { createDatabase } from "../../test/service/database.ts";
import { describeStartError } from "../start-error.ts";
import { dropIndexedSchema, nextSchemaName, readIndexedSchemas } from "./indexed-schemas.ts";

test("the next schema's name is one that Ponder takes, however long the name is", () => {
  expect(nextSchemaName("onchain", new Set(["onchain", "onchain_2"]))).toBe("onchain_3");
  expect(nextSchemaName("onchain_9", new Set())).toBe("onchain_2");
  const long = "a".repeat(45);
  const taken = new Set([long]);
  for (let number = 2; number < 12; number++) {
    const next = nextSchemaName(long, taken);
    expect(schemaNameProblem(next)).toBeUndefined();
    expect(next).toMatch(new RegExp(`^a+_${number}$`));
    taken.add(next);
  }
});

test("a schema that a session keeps reading is not waited for", async () => {
  const database = await createDatabase();
  try {
    await database.query(
      "create schema old; create table old._ponder_checkpoint (chain_id int, latest_checkpoint text); create table old.trade ()",
    );
    await onConnection(database.url, async (reader) => {
      await reader.query("begin; select from old._ponder_checkpoint");
      const dropped = onConnection(database.url, (client) =>
        dropIndexedSchema(client, "old", { lockTimeout: "50ms" }),
      );
      await expect(dropped.catch(describeStartError)).resolves.toMatch(
        /^another session keeps a lock in Postgres .*pg_stat_activity/,
      );
      await reader.query("select from old._ponder_checkpoint");
    });
  } finally {
    await database.drop();
  }
});

test("a schema of another Ponder app is neither listed nor dropped", async () => {
  const database = await createDatabase();
  try {
    await database.query(
      "create schema other; create table other._ponder_checkpoint (chain_id int, latest_checkpoint text); create table other.swap ()",
    );
    await onConnection(database.url, async (client) => {
      expect(await readIndexedSchemas(client)).toEqual([]);
      await expect(dropIndexedSchema(client, "other")).rejects.toThrow("nothing was ever indexed into it");
    });
  } finally {
    await database.drop();
  }
});

test("a schema is not dropped while people's views depend on it", async () => {
  const database = await createDatabase();
  const say = (client: pg.Client, over: string) =>
    client.query(
      `comment on schema launchpad_parked is 'Views for analysts over the schema ${over}, definition 0'`,
    );
  try {
    await onConnection(database.url, async (client) => {
      await recordLiveSchema(client, "onchain");
      await recordLiveSchema(client, "onchain_2");
      await client.query(`
        create schema onchain;
        create table onchain._ponder_checkpoint (chain_id int, latest_checkpoint text);
        create table onchain.trade (id text);
        create schema launchpad_parked;
        create view launchpad_parked.trades as select * from onchain.trade;
        create schema mine;
        create view mine.trades as select * from launchpad_parked.trades`);
      await say(client, "onchain");
      await expect(dropIndexedSchema(client, "onchain")).rejects.toThrow(
        /the views for analysts are over it/,
      );

      await client.query(`
        create schema onchain_2;
        create table onchain_2.trade (id text);
        create or replace view launchpad_parked.trades as select * from onchain_2.trade`);
      await say(client, "onchain_2");
      await client.query("create view mine.direct as select id from onchain.trade");
      await expect(dropIndexedSchema(client, "onchain")).rejects.toThrow(
        /other views are over it, and would be dropped too: mine\.direct\. Drop/,
      );
      await client.query("drop view mine.direct");
      await dropIndexedSchema(client, "onchain");
      expect((await client.query("select * from mine.trades")).rows).toEqual([]);
    });
  } finally {
    await database.drop();
  }
});
