import { curve, dexPair, token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { eventId } from "../../../curve/event-id.ts";
import { columnList, columnsOf, type RowOf } from "../../database/columns.ts";
import { type Database, queryRows } from "../../database/database.ts";
import { isHidden } from "../../market/hidden-token.query.ts";
import { reorgTable } from "../../ponder/index-state.query.ts";
import type { FinalBlock } from "./final-block.query.ts";

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
