import type { TradeResult } from "./expected-results.ts";
import type { ObservedTrade } from "./observed-trades.ts";
import { ratioX36 } from "./prices.ts";
import type { ExpectedRow } from "./row-differences.ts";

export type Totals = { buys: number; sells: number; bnb: bigint; usd: bigint };

/** Returns the rows of `trade`, each with the running totals of its token and of all tokens. */
export function expectedTrades(trades: ObservedTrade[], results: Map<string, TradeResult>): ExpectedRow[] {
  const ofToken = new Map<string, Totals>();
  let ofAll = totalsOf([]);
  return trades.map((trade) => {
    const token = addTrade(ofToken.get(trade.token) ?? totalsOf([]), trade);
    ofToken.set(trade.token, token);
    ofAll = addTrade(ofAll, trade);
    return {
      id: trade.id,
      token: trade.token,
      trader: trade.trader,
      venue: trade.venue,
      side: trade.isBuy ? "buy" : "sell",
      bnb_amount_wei: trade.bnb,
      token_amount_raw: trade.tokens,
      price_bnb_x36: ratioX36(trade.bnb, trade.tokens),
      block: trade.block,
      timestamp: trade.timestamp,
      tx: trade.tx,
      tx_index: trade.txIndex,
      log_index: trade.logIndex,
      bnb_reserves_wei: trade.bnbReserves,
      token_reserves_raw: trade.tokenReserves,
      bnb_usd_x8: trade.rate,
      realised_wei: results.get(trade.id)?.realised,
      realised_usd_x18: results.get(trade.id)?.realisedUsd,
      ...totalColumns(token),
      launchpad_buys_to_date: ofAll.buys,
      launchpad_sells_to_date: ofAll.sells,
      launchpad_volume_to_date_wei: ofAll.bnb,
      launchpad_volume_to_date_usd_x18: ofAll.usd,
    };
  });
}

export function totalsOf(trades: ObservedTrade[]): Totals {
  return trades.reduce(addTrade, { buys: 0, sells: 0, bnb: 0n, usd: 0n });
}

export function totalColumns({ buys, sells, bnb, usd }: Totals) {
  return { buys_to_date: buys, sells_to_date: sells, volume_to_date_wei: bnb, volume_to_date_usd_x18: usd };
}

function addTrade({ buys, sells, bnb, usd }: Totals, trade: ObservedTrade): Totals {
  return {
    buys: trade.isBuy ? buys + 1 : buys,
    sells: trade.isBuy ? sells : sells + 1,
    bnb: bnb + trade.bnb,
    usd: usd + (trade.volumeUsd ?? 0n),
  };
}
