import pg from "pg";
import { connectionOptions } from "../../config/connection-options.ts";
import type { Hex } from "../sources/log.ts";
import { isNew } from "./stored-events.ts";
import { createWindowsTable } from "./window-counts.ts";

export type ForgetOptions = {
  databaseUrl: string;
  chainId: number;
  /** The launchpad whose history may be deleted; that of another one is left alone. */
  launchpad: Hex;
  /** The hash that the chain has for a block; undefined if it does not have it. */
  readHash: (block: number) => Promise<string | undefined>;
};

type Block = { number: number; hash: string };

/**
 * Deletes the stored blocks that a chain no longer has, as when a local node has lost its last minutes. Only for disposable
 * chains: on any other, stored blocks are final.
 */
export async function forgetLostBlocks({
  databaseUrl,
  chainId,
  launchpad,
  readHash,
}: ForgetOptions): Promise<void> {
  const client = new pg.Client(
    connectionOptions({ connectionString: databaseUrl, application_name: "forget_lost_blocks" }),
  );
  // The next query reports a lost connection.
  client.on("error", () => {});
  await client.connect();
  try {
    const history = await findHistory(client, chainId, launchpad);
    if (history === "another's") return;
    const { rows } = await client.query<Block>(
      `${history === "ours" ? "select number::int, hash from ponder_sync.blocks where chain_id = $1 union" : ""}
       select number::int, hash from offchain.final_block where chain_id = $1 order by number`,
      [chainId],
    );
    const kept = await countKept(rows, readHash);
    // Without a common block, the coverage before the first event belongs to the other chain as well.
    const lost = kept === rows.length ? Number.MAX_SAFE_INTEGER : (rows[kept - 1]?.number ?? -1) + 1;
    await client.query("begin");
    if (history === "ours") await forgetFrom(client, chainId, lost);
    else await forgetFinalBlocks(client, chainId, lost);
    // Each start indexes everything again.
    await client.query("delete from offchain.repair_request where chain_id = $1", [chainId]);
    await client.query("commit");
  } finally {
    await client.end();
  }
}

/** Whose events are stored: `none` before the first of a launchpad, although final blocks may have been recorded. */
async function findHistory(
  client: pg.Client,
  chainId: number,
  launchpad: Hex,
): Promise<"ours" | "another's" | "none"> {
  const { rows } = await client.query<{ source: string }>(
    `select source from offchain.chain_coverage
     where chain_id = $1 and source like 'launchpad %' and to_regclass('ponder_sync.blocks') is not null`,
    [chainId],
  );
  if (rows.length === 0) return "none";
  return rows.every(({ source }) => source.endsWith(launchpad.toLowerCase())) ? "ours" : "another's";
}

/** Counts the stored blocks that the chain still has, by binary search: it has all up to some block and none after it. */
async function countKept(blocks: readonly Block[], readHash: ForgetOptions["readHash"]): Promise<number> {
  let [kept, lost] = [0, blocks.length + 1];
  while (kept + 1 < lost) {
    const middle = Math.floor((kept + lost) / 2);
    const block = blocks[middle - 1] as Block;
    if ((await readHash(block.number)) === block.hash) kept = middle;
    else lost = middle;
  }
  return kept;
}

/** Reads the last block up to which a chain's history is stored, or that has stored events; undefined if there is none. */
export async function readLastStored(
  client: Pick<pg.ClientBase, "query">,
  chainId: number,
): Promise<number | undefined> {
  if (await isNew(client)) return undefined;
  const { rows } = await client.query<{ last: string | null }>(
    `select greatest(
       (select max(number) from ponder_sync.blocks where chain_id = $1),
       (select max(upper(blocks)) - 1 from offchain.chain_coverage where chain_id = $1)) as last`,
    [chainId],
  );
  const last = rows[0]?.last;
  return last == null ? undefined : Number(last);
}

/** Deletes what is stored of a chain from a block on, so that it is read again. Call it in a transaction. */
export async function forgetFrom(
  client: Pick<pg.ClientBase, "query">,
  chainId: number,
  block: number,
): Promise<void> {
  const { rows } = await client.query("select to_regclass('ponder_sync.intervals') is not null as is_there");
  if (rows[0]?.is_there) await forgetSynced(client, chainId, block);
  await client.query(
    "update offchain.chain_coverage set blocks = blocks - int8multirange(int8range($2, null)) where chain_id = $1",
    [chainId, block],
  );
  await forgetFinalBlocks(client, chainId, block);
}

async function forgetFinalBlocks(
  client: Pick<pg.ClientBase, "query">,
  chainId: number,
  block: number,
): Promise<void> {
  await client.query("delete from offchain.final_block where chain_id = $1 and number >= $2", [
    chainId,
    block,
  ]);
}

async function forgetSynced(
  client: Pick<pg.ClientBase, "query">,
  chainId: number,
  block: number,
): Promise<void> {
  await createWindowsTable(client);
  await client.query("delete from ponder_sync.stored_windows where chain_id = $1 and last_block >= $2", [
    chainId,
    block,
  ]);
  for (const [table, column] of [
    ["logs", "block_number"],
    ["transactions", "block_number"],
    ["factory_addresses", "block_number"],
    ["blocks", "number"],
  ]) {
    await client.query(`delete from ponder_sync.${table} where chain_id = $1 and ${column} >= $2`, [
      chainId,
      block,
    ]);
  }
  // Ponder reads only ranges whose upper bound, one above their last block, is included. An earlier version left it excluded.
  await client.query(
    `update ponder_sync.intervals set blocks = (
       select coalesce(range_agg(numrange(lower(one), least(upper(one), $2), '[]')), '{}')
       from unnest(blocks) one where lower(one) < $2)
     where chain_id = $1`,
    [chainId, block],
  );
}
