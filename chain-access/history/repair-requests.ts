import type pg from "pg";
import type { Hex } from "../sources/log.ts";

type Client = Pick<pg.ClientBase, "query">;

/**
 * Why an index is made again. The stored history is wrong and is forgotten first: `reorg`, the chain has replaced final blocks;
 * `operator`, somebody has requested it. Only the index is wrong: `loss`, it was made without logs that are stored since;
 * `difference`, contracts return other values.
 */
export type RepairCause = "reorg" | "operator" | "loss" | "difference";

/** The causes that forget stored history. They are urgent, and what is served meanwhile is not ready. */
export const forgettingCauses: readonly RepairCause[] = ["reorg", "operator"];

export type RepairRequest = {
  chainId: number;
  /** The first block whose history or rows are wrong. */
  fromBlock: number;
  cause: Exclude<RepairCause, "difference">;
  reason: string;
};

/** Requests a repair, unless one that includes it is still to begin. Returns whether there was none. */
export async function requestRepair(client: Client, request: RepairRequest): Promise<boolean> {
  const { chainId, fromBlock, cause, reason } = request;
  const { rowCount } = await client.query(
    `insert into offchain.repair_request (chain_id, from_block, cause, reason)
     select $1::int, $2::bigint, $3::text, $4::text where not exists (
       select from offchain.repair_request
       where chain_id = $1 and from_block <= $2 and repaired_in is null and (cause = $3 or cause = any($5)))`,
    [chainId, fromBlock, cause, reason, forgettingCauses],
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

/**
 * Reads the tokens whose stored logs have to be compared with the chain's before a schema is indexed, and the first block of the
 * oldest. A schema that is live has been indexed.
 */
export async function readTokensToCompare(
  client: Client,
  { chainId, schema }: { chainId: number; schema: string },
): Promise<{ tokens: Hex[]; fromBlock: number }> {
  const { rows } = await client.query<{ token: Hex; from_block: string }>(
    `select token, from_block from offchain.repair_request
     where chain_id = $1 and repaired_in = $2 and token is not null
       and $2 is distinct from (select schema from offchain.live_schema order by id desc limit 1)`,
    [chainId, schema],
  );
  const fromBlock = rows.reduce(
    (first, row) => Math.min(first, Number(row.from_block)),
    Number.MAX_SAFE_INTEGER,
  );
  return { tokens: rows.map(({ token }) => token), fromBlock };
}
