import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { openBlockRecord } from "../../test/run/ponder-sync.ts";
import { createDatabase } from "../../test/service/database.ts";
import { startFillingGate, storedRows } from "../fixtures/filling-gate.ts";
import { eventTopics } from "../sources/events.ts";

let chain: LaunchpadChain;
let toBlock: number;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  await chain.trade(7, { blocks: 60, actionsPerBlock: 4, creations: 0.1 });
  await chain.testClient.mine({ blocks: 140 });
  toBlock = Number(await chain.head()) - 40;
});

afterAll(() => chain?.stop());

/** A database with the whole history of the chain, and what lets a gate fill it again. */
async function filledDatabase() {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const { query } = database;

  /** @returns what the gate logged */
  async function fill(readIndexedTime?: () => Promise<number>): Promise<string[]> {
    const gate = startFillingGate({ chain, database, rpcUrls: [chain.rpcUrl], readIndexedTime });
    await gate.fill(toBlock);
    await gate.stop();
    return gate.lines;
  }
  expect(await fill()).toEqual([]);

  async function deleteEverySecondLog(): Promise<number> {
    const deleted = await query("delete from ponder_sync.logs where log_index % 2 = 0 returning 1");
    expect(deleted.length).toBeGreaterThan(50);
    return deleted.length;
  }
  return { ...database, fill, deleteEverySecondLog, rows: () => storedRows(database) };
}

test("logs that somebody has deleted are read again before they are indexed again", async () => {
  const { query, fill, deleteEverySecondLog, rows } = await filledDatabase();
  const complete = await rows();
  const [{ count } = { count: 0 }] = await query<{ count: number }>(
    "select count(*)::int from ponder_sync.logs",
  );
  const deleted = await deleteEverySecondLog();
  expect(await rows()).not.toEqual(complete);
  const [line = "", ...others] = await fill();
  expect(line).toContain(`history: ${deleted} of ${count} logs are missing in `);
  expect(others).toEqual([]);
  expect(await rows()).toEqual(complete);
  expect(await fill()).toEqual([]);
});

test("Ponder asks again for the blocks that lost logs, and only for those", async () => {
  const database = await filledDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  const record = await openBlockRecord(client, 56);
  await record.add([0, toBlock]);
  const [, { first, last } = { first: 0, last: 0 }] = await database.query<{ first: number; last: number }>(
    "select first_block::int as first, last_block::int as last from ponder_sync.stored_windows order by 1",
  );
  expect(last).toBeLessThan(toBlock);
  await database.query(
    "delete from ponder_sync.logs where block_number = (select max(block_number) from ponder_sync.logs where block_number between $1 and $2)",
    [first, last],
  );
  await database.fill();
  expect(await record.read()).toEqual([
    [0, first - 1],
    [last + 1, toBlock],
  ]);
});

test("what an index has already is only counted again if a token or a pair is missing", async () => {
  const { query, fill, rows } = await filledDatabase();
  const complete = await rows();
  const readLastTime = async () => {
    const [{ last } = { last: 0 }] = await query<{ last: number }>(
      "select max(timestamp)::int as last from ponder_sync.blocks",
    );
    return last + 1;
  };
  // The last stored block's window is counted: the index may be in the middle of it.
  const [{ last } = { last: 0 }] = await query<{ last: number }>(
    `select first_block::int as last from ponder_sync.stored_windows
     where last_block >= (select max(number) from ponder_sync.blocks) order by 1`,
  );
  await query("delete from ponder_sync.logs where topic0 = $1 and block_number < $2", [
    eventTopics.transfer,
    last,
  ]);
  const incomplete = await rows();
  expect(incomplete).not.toEqual(complete);
  expect(await fill(readLastTime)).toEqual([]);
  expect(await rows()).toEqual(incomplete);

  await query("delete from ponder_sync.logs where topic0 = $1 and block_number < $2", [
    eventTopics.tokenCreated,
    last,
  ]);
  expect(await fill(readLastTime)).toHaveLength(1);
  expect(await rows()).toEqual(complete);
});

test("tokens and pairs that Ponder has read, but lacks in its list, are in it again before it reads that", async () => {
  const { query, fill } = await filledDatabase();
  const { tokenFactory, launchpad } = chain.deployment;
  const { tokenCreated, graduated } = eventTopics;
  for (const [contract, eventSelector, childAddressLocation] of [
    [tokenFactory.toLowerCase(), tokenCreated, "topic1"],
    [launchpad.toLowerCase(), graduated, "topic2"],
  ]) {
    await query("insert into ponder_sync.factories (factory) values ($1)", [
      { type: "log", address: [contract], eventSelector, childAddressLocation, chainId: 56, fromBlock: 1 },
    ]);
    await query(
      "insert into ponder_sync.intervals (fragment_id, chain_id, blocks) values ($1, 56, nummultirange(numrange(0, $2, '[]')))",
      [`factory_log_56_${contract}_${eventSelector}`, toBlock + 1],
    );
  }
  const listed = () =>
    query(
      "select address, block_number from ponder_sync.factory_addresses where chain_id = 56 order by address",
    );
  const announced = await query(
    "select topic0, count(*)::int as count from ponder_sync.logs where topic0 in ($1, $2) group by 1",
    [tokenCreated, graduated],
  );
  expect(announced).toHaveLength(2);
  const count = announced.reduce((sum, row) => sum + row.count, 0);
  expect(await fill()).toEqual([
    `history: ${count} tokens and pairs were missing in Ponder's list, and are in it again`,
  ]);
  const whole = await listed();
  expect(whole).toHaveLength(count);

  await query("delete from ponder_sync.factory_addresses where id % 3 = 0");
  expect(await listed()).not.toEqual(whole);
  await fill();
  expect(await listed()).toEqual(whole);
  expect(await fill()).toEqual([]);
});

test("before an index is made again because of a token, what is stored of the token is compared with the chain", async () => {
  const { query, fill, rows } = await filledDatabase();
  const complete = await rows();
  const [{ token } = { token: "" }] = await query<{ token: string }>(
    `select address as token from ponder_sync.logs where topic0 = $1 group by 1 order by count(*) desc limit 1`,
    [eventTopics.transfer],
  );
  const lost = await query(
    `delete from ponder_sync.logs where log_index % 3 = 0
       and (address = $1 and topic0 = $2 or topic0 = $3 and topic1 = '0x000000000000000000000000' || substr($1, 3))
     returning topic0`,
    [token, eventTopics.transfer, eventTopics.trade],
  );
  expect(new Set(lost.map(({ topic0 }) => topic0))).toEqual(
    new Set([eventTopics.transfer, eventTopics.trade]),
  );
  const recount = () =>
    query(
      `update ponder_sync.stored_windows set (logs, children) = (
         select count(*), count(*) filter (where topic0 in ($1, $2))
         from ponder_sync.logs where block_number between first_block and last_block)`,
      [eventTopics.tokenCreated, eventTopics.graduated],
    );
  // As if they had never been there.
  await recount();
  const incomplete = await rows();
  expect(await fill()).toEqual([]);
  expect(await rows()).toEqual(incomplete);
  const request = (schema: string) =>
    query(
      `insert into offchain.repair_request (chain_id, from_block, token, cause, reason, repaired_in)
       values (56, 0, $1, 'difference', 'why', $2)`,
      [token, schema],
    );
  await request("another");
  expect(await fill()).toEqual([]);

  await request("onchain");
  expect(await fill(async () => 1_000)).toEqual([]);
  const reading = `history: reading all events of ${token} again, whose values differ from the contracts'`;
  expect(await fill()).toEqual([
    reading,
    `history: ${lost.length} of their logs were missing, and 0 were not on the chain`,
  ]);
  expect(await rows()).toEqual(complete);

  const foreign = await query(
    `insert into ponder_sync.logs (chain_id, block_number, log_index, transaction_index, block_hash, transaction_hash, address,
       topic0, topic1, data)
     select chain_id, block_number, log_index + 1000, transaction_index, block_hash, transaction_hash, address, topic0, topic1, data
     from ponder_sync.logs where address = $1 or topic0 = $2 and topic1 = '0x000000000000000000000000' || substr($1, 3)
     returning 1`,
    [token, eventTopics.tokenCreated],
  );
  await recount();
  expect(await fill()).toEqual([
    reading,
    `history: 0 of their logs were missing, and ${foreign.length} were not on the chain`,
  ]);
  expect(await rows()).toEqual(complete);
  // Nor does what was never on the chain count as lost.
  const counts = () => query("select * from ponder_sync.stored_windows order by first_block");
  const counted = await counts();
  expect(await fill()).toEqual([
    reading,
    "history: 0 of their logs were missing, and 0 were not on the chain",
  ]);
  await recount();
  expect(counted).toEqual(await counts());
});
