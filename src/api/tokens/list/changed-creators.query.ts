import { account, curve, launchpad, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../../database/database.ts";
import type { IndexedChain } from "../../ponder/index-state.query.ts";
import type { ChainFacts } from "./entry-changes.ts";

/** A creator's record on a chain. Volatile means that a reorg may still change it. */
export type CreatorRow = {
  chain_id: number;
  creator: string;
  /** The {@link creatorHash}. */
  hash: number;
  record: string;
  is_volatile: boolean;
};

type CreatorsSince = {
  /** The chains at the last sync. */
  before: IndexedChain[];
  /** The creators whose records were volatile at the last sync. */
  volatile: readonly Pick<CreatorRow, "chain_id" | "creator">[];
  /** The chains now. */
  now: IndexedChain[];
};

/** A four-byte hash of the creator of a token `t`. */
export const creatorHash: SQL = sql`hashtext(t.creator)`;

/** Reads every creator whose record may have changed since the last sync, because a token of theirs was created, graduated or sold. */
export async function readChangedCreators(
  db: Database,
  { before, volatile, now }: CreatorsSince,
): Promise<CreatorRow[]> {
  const changed = now.flatMap(({ chainId, safe }) => {
    const from = before.find((chain) => chain.chainId === chainId)?.safe.timestamp ?? 0;
    return [
      sql`select t.chain_id, t.creator, t.changed_at >= ${safe.timestamp} as is_volatile from ${token} t
        where t.chain_id = ${chainId} and t.changed_at >= ${from}`,
      sql`select t.chain_id, t.creator, c.graduated_at >= ${safe.timestamp} from ${curve} c
        join ${token} t on t.chain_id = c.chain_id and t.address = c.token
        where c.chain_id = ${chainId} and c.graduated_at >= ${from}`,
    ];
  });
  if (changed.length === 0) return [];
  const volatileCreators = JSON.stringify(volatile.map(({ chain_id, creator }) => ({ chain_id, creator })));
  return await queryRows<CreatorRow>(
    db,
    sql`select t.chain_id, t.creator, ${creatorHash} as hash, bool_or(t.is_volatile) as is_volatile,
          concat_ws(' ', a.tokens_created, a.tokens_graduated, a.tokens_sold_out) as record
        from (
          ${sql.join(changed, sql` union all `)}
          union all select k.chain_id, k.creator, false from json_to_recordset(${volatileCreators}::json) as k (chain_id int, creator text)
        ) t
        left join ${account} a on a.chain_id = t.chain_id and a.address = t.creator
        group by t.chain_id, t.creator, a.tokens_created, a.tokens_graduated, a.tokens_sold_out`,
  );
}

/** Reads what the entries of a chain have in common, by chain. */
export async function readChainFacts(db: Database, chains: IndexedChain[]): Promise<Map<number, ChainFacts>> {
  const rows = await queryRows<{ chain_id: number; bnb_usd_x8: string | null }>(
    db,
    sql`select chain_id, bnb_usd_x8 from ${launchpad}`,
  );
  const rates = new Map(rows.map(({ chain_id, bnb_usd_x8 }) => [chain_id, bnb_usd_x8]));
  return new Map(
    chains.map(({ chainId, written, timestamp }) => [
      chainId,
      { written, timestamp, rate: rates.get(chainId) ?? null },
    ]),
  );
}
