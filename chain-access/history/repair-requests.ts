import type pg from "pg";

type Client = Pick<pg.ClientBase, "query">;

/** Why history is forgotten: the chain has replaced final blocks, or somebody has requested it. */
type RepairCause = "reorg" | "operator";

export type RepairRequest = {
  chainId: number;
  /** The first block whose stored history is wrong. */
  fromBlock: number;
  cause: RepairCause;
  reason: string;
};

/** Requests a repair, unless one that goes as far back is still to begin. Returns whether there was none. */
export async function requestRepair(client: Client, request: RepairRequest): Promise<boolean> {
  const { chainId, fromBlock, cause, reason } = request;
  const { rowCount } = await client.query(
    `insert into offchain.repair_request (chain_id, from_block, cause, reason)
     select $1::int, $2::bigint, $3::text, $4::text where not exists (
       select from offchain.repair_request where chain_id = $1 and from_block <= $2 and repaired_in is null)`,
    [chainId, fromBlock, cause, reason],
  );
  return rowCount === 1;
}

/**
 * Whether a schema's index has blocks that the chain has replaced: of its repairs after a deep reorg, one is still to begin, or has
 * another schema indexed instead.
 */
export async function hasReplacedBlocks(
  client: Client,
  { chainId, schema }: { chainId: number; schema: string },
): Promise<boolean> {
  const { rows } = await client.query(
    `select from offchain.repair_request
     where chain_id = $1 and cause = 'reorg' and (repaired_in is null or $2 = any(stale)) limit 1`,
    [chainId, schema],
  );
  return rows.length > 0;
}
