import { chainEventId } from "../market/event-id.ts";
import { formatAmount } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { LiquidityRow } from "./liquidity.query.ts";
import type { LiquidityChange } from "./liquidity-change.schema.ts";

/** Maps a liquidity change to its response. */
export function toLiquidityChange(row: LiquidityRow): LiquidityChange {
  return {
    id: chainEventId(row.chainId, row.id),
    mint: row.token,
    chainId: row.chainId,
    pair: row.pair,
    provider: row.provider,
    kind: row.kind,
    bnbAmountWei: String(row.bnbAmountWei),
    amountBnb: formatAmount(row.bnbAmountWei),
    tokenAmountRaw: String(row.tokenAmountRaw),
    bnbReservesWei: String(row.bnbReservesWei),
    reservesBnb: formatAmount(row.bnbReservesWei),
    tokenReservesRaw: String(row.tokenReservesRaw),
    block: Number(row.block),
    timestamp: isoTime(row.timestamp),
    tx: row.tx,
    logIndex: row.logIndex,
  };
}
