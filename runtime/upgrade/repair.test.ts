import { beforeEach, expect, test } from "vitest";
import { requestRepair } from "../../chain-access/history/repair-requests.ts";
import { type KeptConnection, keepConnection, onConnection } from "../../offchain/connection.ts";
import { recordLiveSchema } from "../../offchain/live-schema.ts";
import { databaseForEachTest } from "../../test/service/database.ts";
import { chooseNextSchema, chooseSchema } from "./choose-schema.ts";
import { beginRepair, repairInPlace } from "./repair.ts";

const database = databaseForEachTest();

beforeEach(async () => {
  await publish("onchain");
  await addIndex("onchain");
});

const publish = (schema: string) => onConnection(database.url, (client) => recordLiveSchema(client, schema));
/** Creates a schema that something has been indexed into. */
async function addIndex(schema: string): Promise<void> {
  await database.query(`create schema ${schema}`);
  await database.query(`create table ${schema}._ponder_checkpoint ()`);
}
const request = (fromBlock: number, cause: "reorg" | "loss" = "reorg") =>
  onConnection(database.url, (client) =>
    requestRepair(client, { chainId: 56, fromBlock, cause, reason: "why" }),
  );
/** Puts everything that has been requested or has become live further into the past. */
const passTime = async (interval: string) => {
  await database.query("update offchain.repair_request set requested_at = requested_at - $1::interval", [
    interval,
  ]);
  await database.query("update offchain.live_schema set since = since - $1::interval", [interval]);
};
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
  await expect(next(unset, "onchain_2", "mine")).rejects.toThrow("has been repaired");
});

test("losses are gathered, one repair is enough for all, and nothing is forgotten", async () => {
  await storeFinal([10, 20, 30]);
  expect(await request(25, "loss")).toBe(true);
  expect(await request(27, "loss")).toBe(false);
  expect(await begin("onchain")).toBeUndefined();
  expect(await request(15, "loss")).toBe(true);
  await passTime("16 seconds");
  expect(await begin("onchain")).toBe("onchain_2");
  expect(await readFinals()).toEqual([10, 20, 30]);
  // A loss that is found meanwhile does not start it anew, and has the next index made.
  await addIndex("onchain_2");
  expect(await request(40, "loss")).toBe(true);
  await passTime("16 seconds");
  expect(await begin("onchain")).toBe("onchain_2");
  await publish("onchain_2");
  expect(await begin("onchain_2")).toBeUndefined();
  await passTime("10 minutes");
  expect(await begin("onchain_2")).toBe("onchain_3");
});

test("the pause after repairs of losses grows to a day, and ends after calm days", async () => {
  let schema = "onchain";
  const begins: boolean[] = [];
  for (const [repair, minutes] of [0, 10, 20, 40, 80, 160, 320, 640, 1280, 1440].entries()) {
    await request(25, "loss");
    await passTime("16 seconds");
    if (minutes > 0) {
      await passTime(`${minutes - 1} minutes`);
      begins.push((await begin(schema)) !== undefined);
      await passTime("1 minute");
    }
    const next = `onchain_${repair + 2}`;
    expect(await begin(schema)).toBe(next);
    schema = next;
    await addIndex(schema);
    await publish(schema);
  }
  expect(begins).toEqual(Array(9).fill(false));
  await passTime("7 days");
  await request(25, "loss");
  await passTime("16 seconds");
  expect(await begin(schema)).toBe("onchain_12");
});

test("a clock that is set back delays no repair of losses", async () => {
  await request(25, "loss");
  await passTime("-1 year");
  expect(await begin("onchain")).toBe("onchain_2");
  await addIndex("onchain_2");
  await publish("onchain_2");
  await passTime("-1 year");
  await request(25, "loss");
  expect(await begin("onchain_2")).toBeUndefined();
  await passTime("16 seconds");
  expect(await begin("onchain_2")).toBe("onchain_3");
});

test("a deep reorg neither waits for a repair of losses nor for the pause after it", async () => {
  await storeFinal([10, 20, 30]);
  await request(25, "loss");
  await passTime("16 seconds");
  expect(await begin("onchain")).toBe("onchain_2");
  await addIndex("onchain_2");
  await request(15);
  expect(await begin("onchain")).toBe("onchain_3");
  expect(await readFinals()).toEqual([10]);
  await addIndex("onchain_3");
  await publish("onchain_3");
  // A request that forgets nothing does not stand in for one that does.
  await request(5, "loss");
  expect(await request(8)).toBe(true);
  expect(await begin("onchain_3")).toBe("onchain_4");
  expect(await readFinals()).toEqual([]);
});

test("where the schema is indexed again at each start, a repair whose commit isn't answered restarts the indexer too", async () => {
  await request(15);
  const stopping = new AbortController();
  const kept = keepConnection(database.url, stopping.signal);
  let commits = 0;
  const onDatabase: KeptConnection = async (work) => {
    const result = await kept(work);
    commits += 1;
    if (commits === 1) throw new Error("Connection terminated unexpectedly");
    return result;
  };
  const restarts: number[] = [];
  const { signal } = stopping;
  const watching = repairInPlace({
    onDatabase,
    schema: "onchain",
    signal,
    log() {},
    restart() {
      restarts.push(commits);
      stopping.abort();
    },
  });
  await watching;
  expect(restarts).toEqual([2]);
});
