import { priceBnb, priceInUsd } from "../market/price.ts";
import { checkpointBlock } from "../ponder/index-state.query.ts";
import type { Curve } from "./curve.routes.ts";
import type { CurveRow } from "./curves.query.ts";

/** A curve, as it is sent. */
export function toCurve(row: CurveRow): Curve {
  return {
    mint: row.token,
    chainId: row.chain_id,
    virtualBnbReserves: row.virtual_bnb_reserves,
    virtualTokenReserves: row.virtual_token_reserves,
    realTokenReserves: row.real_token_reserves,
    tokensSold: row.tokens_sold,
    totalToSell: row.total_to_sell,
    burnPercent: row.burn_percent,
    progress: row.progress,
    graduated: row.graduated,
    pair: row.pair,
    priceBnb: priceBnb(row.price_x36),
    ...priceInUsd(row.price_x36, row.bnb_usd_x8),
    block: checkpointBlock(row.latest_checkpoint),
  };
}
