import { afterAll, beforeEach, expect, test } from "vitest";
import { onConnection } from "../../offchain/connection.ts";
import { createDatabase } from "../../test/service/database.ts";
import { confirmRows, describeOtherRows, rowsVersion } from "./rows-version.ts";

const database = await createDatabase();
afterAll(() => database.drop());
beforeEach(() => database.query("drop schema if exists onchain cascade; create schema onchain"));

async function storeMeta(value: object, chains: number[] = [56]) {
  await database.query("create table onchain._ponder_checkpoint (chain_id int8 primary key)");
  await database.query("insert into onchain._ponder_checkpoint select unnest($1::int8[])", [chains]);
  await database.query("create table onchain._ponder_meta (key text primary key, value jsonb not null)");
  await database.query("insert into onchain._ponder_meta values ('app', $1)", [value]);
}
const describe = () => onConnection(database.url, (client) => describeOtherRows(client, "onchain"));

test("there is nothing to say before the first start, nor about an index of the same version", async () => {
  expect(await describe()).toBeUndefined();
  await storeMeta({ build_id: "x", rows_version: rowsVersion });
  expect(await describe()).toBeUndefined();
});

test("an index that npm run dev has made is dropped by Ponder", async () => {
  await storeMeta({ build_id: "x", is_dev: 1 });
  expect(await describe()).toBeUndefined();
});

test.each([
  ["without a version", {}],
  ["of an earlier version", { rows_version: rowsVersion - 1 }],
  ["of a later version", { rows_version: rowsVersion + 1 }],
])("an index %s is named, with what to do, until it is confirmed", async (_, value) => {
  await storeMeta({ build_id: "x", is_dev: 0, ...value });
  expect(await describe()).toMatch(/schema onchain .*npm run verify .*npm run upgrade/);
  await onConnection(database.url, (client) => confirmRows(client, "onchain", [56]));
  expect(await describe()).toBeUndefined();
  expect(await database.query("select value ->> 'build_id' as id from onchain._ponder_meta")).toEqual([
    { id: "x" },
  ]);
});

test("an index is not confirmed while one of its chains has not been compared", async () => {
  await storeMeta({ build_id: "x", is_dev: 0 }, [56, 97]);
  const confirm = (chains: number[]) =>
    onConnection(database.url, (client) => confirmRows(client, "onchain", chains));
  await confirm([56]);
  expect(await describe()).toMatch(/npm run verify/);
  await confirm([56, 97]);
  expect(await describe()).toBeUndefined();
});
