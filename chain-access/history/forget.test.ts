import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openBlockRecord } from "../../test/run/ponder-sync.ts";
import { createDatabase } from "../../test/service/database.ts";
import { forgetLostBlocks } from "./forget.ts";

const launchpad = "0x00000000000000000000000000000000000000b0";

/** Creates a database with a stored block at every tenth number up to 100. */
async function filledDatabase() {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  const record = await openBlockRecord(client, 56);
  await record.add([0, 40]);
  await record.add([51, 100]);
  const zero = `0x${"0".repeat(64)}`;
  await database.query(
    `insert into ponder_sync.blocks (chain_id, number, hash, timestamp, parent_hash, logs_bloom, miner, gas_used,
       gas_limit, state_root, receipts_root, transactions_root, size, difficulty, extra_data)
     select 56, n, 'hash ' || n, n, '${zero}', '0x', '0x', 0, 0, '${zero}', '${zero}', '${zero}', 0, 0, '0x'
     from generate_series(10, 100, 10) n`,
  );
  await database.query(
    `insert into offchain.chain_coverage values (56, 'launchpad 0xf0 ${launchpad}', 1, '{[0,101)}')`,
  );
  await database.query(
    "insert into offchain.final_block (chain_id, number, hash) values (56, 95, 'hash 95')",
  );
  await database.query(
    "insert into offchain.repair_request (chain_id, from_block, cause, reason) values (56, 50, 'reorg', '')",
  );
  /** What is stored, and which blocks Ponder and we have recorded as read. */
  async function state() {
    const [row] = await database.query(
      `select (select max(number)::int from ponder_sync.blocks) as last,
         (select max(number)::int from offchain.final_block) as final,
         (select count(*)::int from offchain.repair_request) as requests,
         (select blocks::text from offchain.chain_coverage) as covered`,
    );
    return { ...row, asked: await record.read() };
  }
  return { ...database, state };
}

const all = {
  last: 100,
  final: 95,
  requests: 0,
  asked: [
    [0, 40],
    [51, 100],
  ],
  covered: "{[0,101)}",
};

test.each([
  ["that has them all", 100, all],
  [
    "that lost its last blocks",
    87,
    {
      last: 80,
      final: null,
      requests: 0,
      asked: [
        [0, 40],
        [51, 80],
      ],
      covered: "{[0,81)}",
    },
  ],
  [
    "that lost blocks without events",
    94,
    {
      ...all,
      final: null,
      last: 90,
      asked: [
        [0, 40],
        [51, 90],
      ],
      covered: "{[0,91)}",
    },
  ],
  [
    "that lost a whole range",
    57,
    { last: 50, final: null, requests: 0, asked: [[0, 40]], covered: "{[0,51)}" },
  ],
  ["that is another one", 0, { last: null, final: null, requests: 0, asked: [], covered: "{}" }],
])("for a chain %s, only the blocks that it has stay", async (_, last, expected) => {
  const database = await filledDatabase();
  const readHash = async (block: number) => (block <= last ? `hash ${block}` : undefined);
  await forgetLostBlocks({ databaseUrl: database.url, chainId: 56, launchpad, readHash });
  expect(await database.state()).toEqual(expected);
});

test("the history of another launchpad is left alone", async () => {
  const database = await filledDatabase();
  const other = "0x00000000000000000000000000000000000000b1";
  const readHash = async () => undefined;
  await forgetLostBlocks({ databaseUrl: database.url, chainId: 56, launchpad: other, readHash });
  expect(await database.state()).toEqual({ ...all, requests: 1 });
});

test("a record that an earlier version left unreadable is mended", async () => {
  const database = await filledDatabase();
  await database.query("update ponder_sync.intervals set blocks = '{[0,41],[51,101)}'");
  const readHash = async (block: number) => `hash ${block}`;
  await forgetLostBlocks({ databaseUrl: database.url, chainId: 56, launchpad, readHash });
  expect(await database.state()).toEqual(all);
});

test("before the first event of a launchpad, final blocks that the chain has lost are forgotten, and nothing else", async () => {
  const { query, url, state } = await filledDatabase();
  await query("delete from offchain.chain_coverage");
  const before = await state();
  await forgetLostBlocks({ databaseUrl: url, chainId: 56, launchpad, readHash: async () => "another hash" });
  expect(await state()).toEqual({ ...before, final: null, requests: 0 });
});
