import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../test/service/database.ts";
import { forgetLostBlocks } from "./forget.ts";

const launchpad = "0x00000000000000000000000000000000000000b0";

/** Creates a database with a stored block at every tenth number up to 100. */
async function filledDatabase() {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const zero = `0x${"0".repeat(64)}`;
  await database.query(
    `insert into ponder_sync.blocks (chain_id, number, hash, timestamp, parent_hash, logs_bloom, miner, gas_used,
       gas_limit, state_root, receipts_root, transactions_root, size, difficulty, extra_data)
     select 56, n, 'hash ' || n, n, '${zero}', '0x', '0x', 0, 0, '${zero}', '${zero}', '${zero}', 0, 0, '0x'
     from generate_series(10, 100, 10) n`,
  );
  await database.query("insert into ponder_sync.intervals values ('f', 56, '{[0,101)}')");
  await database.query(
    `insert into offchain.chain_coverage values (56, 'launchpad 0xf0 ${launchpad}', 1, '{[0,101)}')`,
  );
  return database;
}

async function stateOf(database: Awaited<ReturnType<typeof createDatabase>>) {
  const [row] = await database.query(
    `select (select max(number)::int from ponder_sync.blocks) as last,
       (select blocks::text from ponder_sync.intervals) as asked,
       (select blocks::text from offchain.chain_coverage) as covered`,
  );
  return row;
}

const all = { last: 100, asked: "{[0,101)}", covered: "{[0,101)}" };

test.each([
  ["that has them all", 100, all],
  ["that lost some", 57, { last: 50, asked: "{[0,51)}", covered: "{[0,51)}" }],
  ["that is another one", 0, { last: null, asked: "{}", covered: "{}" }],
])("for a chain %s, only the blocks that it has stay", async (_, last, expected) => {
  const database = await filledDatabase();
  const readHash = async (block: number) => (block <= last ? `hash ${block}` : undefined);
  await forgetLostBlocks({ databaseUrl: database.url, chainId: 56, launchpad, readHash });
  expect(await stateOf(database)).toEqual(expected);
});

test("the history of another launchpad is left alone", async () => {
  const database = await filledDatabase();
  const other = "0x00000000000000000000000000000000000000b1";
  const readHash = async () => undefined;
  await forgetLostBlocks({ databaseUrl: database.url, chainId: 56, launchpad: other, readHash });
  expect(await stateOf(database)).toEqual(all);
});
