import { afterEach, beforeEach, expect, test } from "vitest";
import { requestRepair } from "../../chain-access/history/repair-requests.ts";
import { onConnection } from "../../offchain/connection.ts";
import { recordLiveSchema } from "../../offchain/live-schema.ts";
import { createDatabase, type TestDatabase } from "../../test/service/database.ts";
import { chooseNextSchema, chooseSchema } from "./choose-schema.ts";
import { beginRepair } from "./repair.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
  await publish("onchain");
  await addIndex("onchain");
});
afterEach(() => database.drop());

const publish = (schema: string) => onConnection(database.url, (client) => recordLiveSchema(client, schema));
/** Creates a schema that something has been indexed into. */
async function addIndex(schema: string): Promise<void> {
  await database.query(`create schema ${schema}`);
  await database.query(`create table ${schema}._ponder_checkpoint ()`);
}
const request = (fromBlock: number) =>
  onConnection(database.url, (client) =>
    requestRepair(client, { chainId: 56, fromBlock, cause: "reorg", reason: "why" }),
  );
const begin = (schema: string) => onConnection(database.url, (client) => beginRepair(client, schema));

const unset = { databaseSchema: "onchain", isSchemaSet: false };
const set = (databaseSchema: string) => ({ databaseSchema, isSchemaSet: true });
const choose = (settings: typeof unset) => chooseSchema({ url: database.url, settings, log() {} });
const next = (settings: typeof unset, running: string, to?: string) =>
  chooseNextSchema({ url: database.url, settings }, { schema: running, to });

const storeFinal = (numbers: number[]) =>
  database.query(
    "insert into offchain.final_block (chain_id, number, hash) select 56, n, n from unnest($1::int[]) n",
    [numbers],
  );
const readFinals = async () =>
  (
    await database.query<{ number: number }>("select number::int from offchain.final_block order by number")
  ).map(({ number }) => number);

test("history is forgotten once, and the same schema is indexed until it is live", async () => {
  expect(await begin("onchain")).toBeUndefined();
  await storeFinal([10, 20, 30]);
  expect(await request(25)).toBe(true);
  expect(await request(27)).toBe(false);
  expect(await request(15)).toBe(true);
  // Only the live schema is repaired.
  expect(await begin("other")).toBeUndefined();
  expect(await begin("onchain")).toBe("onchain_2");
  expect(await readFinals()).toEqual([10]);
  await storeFinal([20]);
  await addIndex("onchain_2");
  expect(await begin("onchain")).toBe("onchain_2");
  expect(await readFinals()).toEqual([10, 20]);
  await publish("onchain_2");
  expect(await begin("onchain")).toBeUndefined();
  expect(await begin("onchain_2")).toBeUndefined();
});

test("after another deep reorg during a repair, a schema is indexed that has none of the replaced blocks", async () => {
  await addIndex("onchain_3");
  await request(25);
  expect(await begin("onchain")).toBe("onchain_2");
  await addIndex("onchain_2");
  await request(30);
  expect(await begin("onchain")).toBe("onchain_4");
});

test("a schema with replaced blocks is neither started on nor upgraded to", async () => {
  await addIndex("mine");
  await request(25);
  expect(await begin("onchain")).toBe("onchain_2");
  // Until the repair is done, the old one is served.
  expect(await choose(unset)).toBe("onchain");
  await publish("onchain_2");
  for (const settings of [unset, set("onchain"), set("mine")]) {
    expect(await choose(settings)).toBe("onchain_2");
    expect(await next(settings, "onchain_2")).toBe("onchain_3");
  }
  expect(await choose(set("new"))).toBe("new");
  await expect(next(unset, "onchain_2", "mine")).rejects.toThrow("in part replaced");
});
