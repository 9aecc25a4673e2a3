import { curve, dexPair, liquidityChange, token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { checkpointBlock, checkpointTime } from "../../../../config/parse.ts";
import { eventId } from "../../../domain/ids.ts";
import { columnList, columnsOf, type RowOf } from "../../database/columns.ts";
import { type Database, type PooledDatabase, prepareRows, queryRows } from "../../database/database.ts";
import { isHidden } from "../../market/hidden-token.query.ts";
import { checkpoints, reorgTable } from "../../ponder/index-state.query.ts";

/** The last block that neither a reorg nor a crash of the indexer can revert. Times in seconds. */
export type FinalBlock = {
  block: number;
  timestamp: number;
  /** When the last indexed block was mined, final or not. */
  now: number;
};

const finalBlock = prepareRows<{ safe: string; latest: string }>(
  "final_block",
  () => sql`select safe_checkpoint as safe, latest_checkpoint as latest from ${checkpoints}
            where chain_id = ${sql.placeholder("chain")}`,
);

/** Returns undefined until something is indexed. */
export async function readFinalBlock(db: PooledDatabase, chainId: number): Promise<FinalBlock | undefined> {
  const [row] = await finalBlock(db, [chainId]);
  // Ponder starts with the checkpoint before everything in the start block.
  if (row === undefined || /^0*$/.test(row.safe.slice(42))) return undefined;
  return {
    block: checkpointBlock(row.safe),
    timestamp: checkpointTime(row.safe),
    now: checkpointTime(row.latest),
  };
}

const named = columnsOf(token, "t", ["address", "name", "symbol", "creator"]);
const launched = columnsOf(token, "t", ["launchpad", "created_at", "created_block", "created_tx"]);

export type FinalTokenRow = RowOf<typeof named> & RowOf<typeof launched> & { total_supply_raw: string };

/** Where Ponder keeps the values that unfinalised changes of a token have overwritten. */
const overwritten = reorgTable("token");

/** Returns the token as of the final block; undefined if it was created later, or is hidden. */
export async function readFinalToken(
  db: Database,
  chainId: number,
  mint: string,
  final: FinalBlock,
): Promise<FinalTokenRow | undefined> {
  const [row] = await queryRows<FinalTokenRow>(
    db,
    sql`select ${columnList({ ...named, ...launched })},
          coalesce((select o.total_supply_raw from ${overwritten} o
            where o.chain_id = t.chain_id and o.address = t.address and o.operation <> 0
            order by o.operation_id limit 1), t.total_supply_raw) as total_supply_raw
        from ${token} t
        where t.chain_id = ${chainId} and t.address = ${mint} and t.created_block <= ${final.block}
          and not ${isHidden(sql`t.chain_id`, sql`t.address`)}`,
  );
  return row;
}

/** A pair that a token has graduated to, and its token. */
export type FinalPairRow = RowOf<typeof named> & {
  pair: string;
  graduated_at: string;
  /** Of the trade that graduated the token, if there was one. */
  graduated_block: string | null;
  graduated_tx: string | null;
};

/** Returns undefined if the pair's token had not graduated by the final block, or is hidden. */
export async function readFinalPair(
  db: Database,
  chainId: number,
  pair: string,
  final: FinalBlock,
): Promise<FinalPairRow | undefined> {
  const [row] = await queryRows<FinalPairRow>(
    db,
    sql`select ${columnList(named)}, c.pair, c.graduated_at, last.block as graduated_block, last.tx as graduated_tx
        from ${dexPair} p
        join ${curve} c on c.chain_id = p.chain_id and c.token = p.token and c.pair = p.address
        join ${token} t on t.chain_id = p.chain_id and t.address = p.token
        left join lateral (
          select tr.block, tr.tx from ${trade} tr
          where tr.chain_id = p.chain_id and tr.token = p.token and tr.timestamp = c.graduated_at
            and tr.venue = 'curve' and tr.id < ${eventId(final.block + 1)}
          order by tr.id desc limit 1) last on true
        where p.chain_id = ${chainId} and p.address = ${pair}
          and (last.block is not null or c.graduated_at < ${final.timestamp})
          and not ${isHidden(sql`t.chain_id`, sql`t.address`)}`,
  );
  return row;
}

/** Of every change of a market. */
const changeColumns = [
  "bnb_amount_wei",
  "token_amount_raw",
  "bnb_reserves_wei",
  "token_reserves_raw",
  "block",
  "timestamp",
  "tx",
  "tx_index",
  "log_index",
] as const;

const columns = columnsOf(trade, "tr", ["id", "token", "trader", "venue", "side", ...changeColumns]);

/** A trade in a final block. */
export type FinalTradeRow = RowOf<typeof columns> & {
  /** Where it was traded: the token itself for its curve, or its DEX pair. Null for a token that the factory did not create, or that is hidden. */
  pair: string | null;
};

/** Returns trades with ids from `from` (inclusive) to `before` (exclusive), in chain order. */
export async function readTradesBetween(
  db: Database,
  { chainId, from, before, limit }: { chainId: number; from: string; before: string; limit: number },
): Promise<FinalTradeRow[]> {
  return await queryRows<FinalTradeRow>(
    db,
    sql`select ${columnList(columns)},
          case when t.address is null or h.mint is not null then null
            when tr.venue = 'curve' then tr.token else c.pair end as pair
        from (select * from ${trade} where chain_id = ${chainId} and id >= ${from} and id < ${before}
          order by id limit ${limit}) tr
        left join ${token} t on t.chain_id = tr.chain_id and t.address = tr.token
        left join ${curve} c on c.chain_id = tr.chain_id and c.token = tr.token
        left join offchain.hidden_token h on h.chain_id = tr.chain_id and h.mint = tr.token
        order by tr.id`,
  );
}

const liquidityColumns = columnsOf(liquidityChange, "l", [
  "id",
  "pair",
  "provider",
  "kind",
  ...changeColumns,
]);

/** A change of a pair's liquidity in a final block. */
export type FinalLiquidityRow = RowOf<typeof liquidityColumns> & {
  /** Whether the factory created the token, it is not hidden, and it graduated to this pair. */
  is_launched: boolean;
};

/** Returns changes with ids from `from` (inclusive) to `before` (exclusive), in chain order. */
export async function readLiquidityBetween(
  db: Database,
  { chainId, from, before, limit }: { chainId: number; from: string; before: string; limit: number },
): Promise<FinalLiquidityRow[]> {
  return await queryRows<FinalLiquidityRow>(
    db,
    sql`select ${columnList(liquidityColumns)}, t.address is not null and c.token is not null
          and h.mint is null as is_launched
        from (select * from ${liquidityChange} where chain_id = ${chainId} and id >= ${from} and id < ${before}
          order by id limit ${limit}) l
        left join ${token} t on t.chain_id = l.chain_id and t.address = l.token
        left join ${curve} c on c.chain_id = l.chain_id and c.token = l.token and c.pair = l.pair
        left join offchain.hidden_token h on h.chain_id = l.chain_id and h.mint = l.token
        order by l.id`,
  );
}
