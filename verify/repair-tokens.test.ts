import { afterEach, beforeEach, expect, test } from "vitest";
import { onConnection } from "../offchain/connection.ts";
import { recordLiveSchema } from "../offchain/live-schema.ts";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { describeRepeated, requestTokenRepairs } from "./repair-tokens.ts";

const [otter, wombat] = ["0x01", "0x02"] as const;
let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
  await database.query("create schema onchain");
  await database.query("create table onchain.token (chain_id int, address text, created_block bigint)");
  await database.query("insert into onchain.token values (56, $1, 12), (97, $1, 7)", [otter]);
});
afterEach(() => database.drop());

const request = (...tokens: `0x${string}`[]) =>
  onConnection(database.url, (client) => {
    const differences = tokens.map((token) => ({
      chainId: 56,
      token,
      account: token,
      what: "balance",
      ours: "7",
      onChain: "8",
      block: 40,
    }));
    return requestTokenRepairs(client, { schema: "onchain", chainId: 56, differences });
  });
const publish = (schema: string) => onConnection(database.url, (client) => recordLiveSchema(client, schema));
const begin = (schema: string, stale: string[]) =>
  database.query(
    "update offchain.repair_request set repaired_in = $1, stale = $2 where repaired_in is null",
    [schema, stale],
  );
const readRequests = () =>
  database.query("select from_block::int, token, cause from offchain.repair_request order by id");

test("each token is repaired once, from its first block", async () => {
  expect(await request(otter, otter)).toEqual({ requested: [otter], repeated: [] });
  expect(await request(otter, wombat)).toEqual({ requested: [wombat], repeated: [] });
  expect(await readRequests()).toEqual([
    { from_block: 12, token: otter, cause: "difference" },
    { from_block: 0, token: wombat, cause: "difference" },
  ]);
  await begin("onchain", []);
  const repeated = { token: otter, fromBlock: 12, repairedIn: "onchain" };
  expect(await request(otter)).toEqual({ requested: [], repeated: [repeated] });
  expect(describeRepeated(56, repeated)).toMatch("npm run forget -- --chain 56 --from 12");
  expect(await readRequests()).toHaveLength(2);
});

test("nothing is requested of a schema that is being repaired, or isn't live", async () => {
  const nothing = { requested: [], repeated: [] };
  await publish("onchain");
  await database.query(
    "insert into offchain.repair_request (chain_id, from_block, cause, reason) values (56, 1, 'loss', 'why')",
  );
  expect(await request(otter)).toEqual(nothing);
  await begin("onchain_2", ["onchain"]);
  expect(await request(otter)).toEqual(nothing);
  await publish("onchain_2");
  expect(await request(otter)).toEqual(nothing);
  await publish("onchain");
  await database.query("update offchain.repair_request set stale = '{}'");
  expect(await request(otter)).toEqual({ requested: [otter], repeated: [] });
});
