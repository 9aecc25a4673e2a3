import type pg from "pg";
import { ignore } from "../../config/async.ts";
import { zeroAddress } from "../hex.ts";
import { hasTimestamp, type Log, type Range } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { type Difference, describeDifference } from "./check-events.ts";
import { writeCoverage } from "./coverage.ts";
import type { WindowEvents } from "./read-window.ts";
import { requestRepair } from "./repair-requests.ts";
import { deleteForeign, recordWindow } from "./window-counts.ts";

/** Blocks of a window that followed ones are counted in together: there is one every few seconds. */
const joinedBlocks = 2_000;

export type StoredWindow = {
  window: Range;
  sources: readonly string[];
  events: WindowEvents;
  /** If Ponder has followed the window before: how what it stored, and what the index was made from, differs. */
  reread?: { difference: Difference | undefined } | undefined;
};

/**
 * Stores the events of a range, how many there are, and its sources' coverage in one transaction, with the request to make the index
 * again if it was made from others.
 */
export async function storeWindow(
  database: pg.Pool,
  chain: Sources,
  { window, sources, events, reread }: StoredWindow,
): Promise<void> {
  const { chainId } = chain;
  await inTransaction(database, async (client) => {
    if (reread?.difference !== undefined) await correct(client, chain, reread.difference);
    // Without a difference, all of it is stored already. Thousands of rows in vain would hold up the blocks that are followed.
    if (reread === undefined || reread.difference !== undefined)
      await storeEvents(client, { chainId, ...events });
    await recordWindow(client, chain, window, reread === undefined ? 0 : joinedBlocks);
    for (const source of sources) await writeCoverage(client, chainId, source, window);
  });
}

async function correct(
  client: Pick<pg.ClientBase, "query">,
  chain: Sources,
  difference: Difference,
): Promise<void> {
  const { missing, foreign } = difference;
  await deleteForeign(client, chain, foreign);
  const blocks = [...missing, ...foreign].map(({ blockNumber }) => Number(blockNumber));
  const fromBlock = blocks.reduce((first, block) => Math.min(first, block));
  const reason = `The index was made from other logs than the chain has: ${describeDifference(difference)}.`;
  await requestRepair(client, { chainId: chain.chainId, fromBlock, cause: "loss", reason });
}

type StoredEvents = {
  chainId: number;
  /** Logs of finalized blocks. */
  logs: readonly Log[];
  /** Seconds since 1970, by block number, of the blocks whose logs don't have them. */
  timestamps: ReadonlyMap<number, number>;
};

/** Rows per insert. With more, Postgres would parse hundreds of megabytes at once. */
const maxRows = 20_000;

/**
 * Writes events to the tables that Ponder indexes from, as Ponder would have, except that blocks and transactions only have
 * real values in the columns that our handlers read. Existing rows stay, except for a transaction with another hash: Ponder stored
 * it from logs that were wrong, and its key is its place in the block.
 *
 * @param client with an open transaction
 * @throws Error if a block has no timestamp
 */
export async function storeEvents(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  { chainId, logs, timestamps }: StoredEvents,
): Promise<void> {
  for (let start = 0; start < logs.length; start += maxRows) {
    const some = logs.slice(start, start + maxRows);
    await client.query(insertLogs, [chainId, ...columnsOf(some, logColumns)]);
    const blocks = firstOfEach(some, ({ blockNumber }) => blockNumber);
    const times = blocks.map((log) => timestampOf(log, timestamps));
    await client.query(insertBlocks, [chainId, ...columnsOf(blocks, blockColumns), times]);
    const transactions = firstOfEach(some, (log) => `${log.blockNumber} ${log.transactionIndex}`);
    await client.query(insertTransactions, [chainId, ...columnsOf(transactions, transactionColumns)]);
  }
}

function timestampOf(log: Log, timestamps: ReadonlyMap<number, number>): number {
  const time = hasTimestamp(log) ? Number(log.blockTimestamp) : timestamps.get(Number(log.blockNumber));
  if (time === undefined) throw new Error(`block ${Number(log.blockNumber)} has no timestamp`);
  return time;
}

type Column = (log: Log) => number | string | null;

const blockNumber: Column = (log) => Number(log.blockNumber);
const transactionIndex: Column = (log) => Number(log.transactionIndex);
const topic =
  (index: number): Column =>
  ({ topics }) =>
    topics[index]?.toLowerCase() ?? null;

const logColumns: Column[] = [
  blockNumber,
  (log) => Number(log.logIndex),
  transactionIndex,
  (log) => log.blockHash,
  (log) => log.transactionHash,
  (log) => log.address.toLowerCase(),
  topic(0),
  topic(1),
  topic(2),
  topic(3),
  (log) => log.data,
];
const insertLogs = `insert into ponder_sync.logs (chain_id, block_number, log_index, transaction_index, block_hash,
    transaction_hash, address, topic0, topic1, topic2, topic3, data)
  select $1::int8, * from unnest($2::int8[], $3::int4[], $4::int4[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[], $12::text[])
  on conflict do nothing`;

const blockColumns: Column[] = [blockNumber, (log) => log.blockHash];
const insertBlocks = `insert into ponder_sync.blocks (chain_id, number, hash, timestamp, parent_hash, logs_bloom, miner,
    gas_used, gas_limit, state_root, receipts_root, transactions_root, size, difficulty, extra_data)
  select $1::int8, number, hash, timestamp, '0x', '0x', '0x', 0, 0, '0x', '0x', '0x', 0, 0, '0x'
  from unnest($2::int8[], $3::text[], $4::int8[]) block(number, hash, timestamp)
  on conflict do nothing`;

const transactionColumns: Column[] = [
  blockNumber,
  transactionIndex,
  (log) => log.transactionHash,
  (log) => log.blockHash,
];
const insertTransactions = `insert into ponder_sync.transactions as stored (chain_id, block_number, transaction_index, hash,
    block_hash, "from", input, value, nonce, type, gas)
  select $1::int8, block, index, hash, block_hash, '${zeroAddress}', '0x', 0, 0, '0x0', 0
  from unnest($2::int8[], $3::int4[], $4::text[], $5::text[]) t(block, index, hash, block_hash)
  on conflict (chain_id, block_number, transaction_index) do update
    set hash = excluded.hash, block_hash = excluded.block_hash where stored.hash <> excluded.hash`;

const columnsOf = (logs: readonly Log[], columns: Column[]) => columns.map((column) => logs.map(column));

function firstOfEach(logs: readonly Log[], keyOf: (log: Log) => string): Log[] {
  const first = new Map<string, Log>();
  for (const log of logs) if (!first.has(keyOf(log))) first.set(keyOf(log), log);
  return [...first.values()];
}

/**
 * Runs `work` in a transaction on a connection of its own. Throws what it throws. Whatever the role's default, its statements wait for
 * those of other windows and see what they have written.
 */
export async function inTransaction(
  database: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await database.connect();
  // The statement that runs rejects with it. The pool listens for idle connections alone, and the error would end the thread.
  client.on("error", ignore);
  let failure: Error | undefined;
  try {
    await client.query("begin isolation level read committed");
    await work(client);
    await client.query("commit");
    client.off("error", ignore);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection whose transaction may still be open is closed.
    client.release(failure);
  }
}
