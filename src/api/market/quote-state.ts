import { type CurveState, maxPairReserve, type PairState } from "../../curve/quote.ts";
import type { QuoteStateRow } from "./quote-state.query.ts";

/** Returns the curve of a token that has not graduated. */
export function toCurveState(row: QuoteStateRow): CurveState {
  return {
    bnbReservesWei: BigInt(row.virtual_bnb_reserves),
    tokenReservesRaw: BigInt(row.virtual_token_reserves),
    tokensSold: BigInt(row.tokens_sold),
    totalToSell: BigInt(row.total_to_sell),
    graduationBnbReservesWei: BigInt(row.graduation_bnb_reserves_wei),
  };
}

/**
 * Returns the DEX pair of a token that has graduated.
 *
 * @param fee millionths of the amount paid in
 */
export function toPairState(row: QuoteStateRow, fee: bigint): PairState {
  const tokenReservesRaw = BigInt(row.token_reserves_raw ?? 0);
  const outside =
    row.total_supply_raw === null ? maxPairReserve : BigInt(row.total_supply_raw) - tokenReservesRaw;
  return {
    bnbReservesWei: BigInt(row.bnb_reserves_wei ?? 0),
    tokenReservesRaw,
    fee,
    tokensOutside: outside > 0n ? outside : 0n,
  };
}
