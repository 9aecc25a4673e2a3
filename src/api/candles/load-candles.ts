import { minBigint } from "../../curve/amounts.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { checkpointTime } from "../ponder/index-state.query.ts";
import { candleRange } from "./candle-range.ts";
import { type CandleBoundsRow, type CandleRow, readCandleBounds, readCandles } from "./candles.query.ts";
import { type Close, fillGaps } from "./fill-gaps.ts";
import type { Interval } from "./intervals.ts";

export type CandleRequest = {
  chainId: number;
  mint: string;
  interval: Interval;
  /** Seconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
  /** The maximum number of candles. */
  limit: number;
};

/** Returns a token's candles without gaps, the oldest first; undefined if the index does not have the token. */
export async function loadCandles(
  db: PooledDatabase,
  { from, to, limit, ...series }: CandleRequest,
): Promise<CandleRow[] | undefined> {
  return await inSnapshot(db, async (tx) => {
    const bounds = await readCandleBounds(tx, series);
    if (bounds === undefined) return undefined;
    const begin = firstMoment(bounds);
    if (begin === undefined) return [];
    const range = candleRange({
      interval: series.interval,
      begin,
      end: BigInt(checkpointTime(bounds.latest_checkpoint)),
      from: from === undefined ? undefined : BigInt(from),
      to: to === undefined ? undefined : BigInt(to),
      limit,
    });
    if (range === undefined) return [];
    return fillGaps(
      await readCandles(tx, { ...series, ...range }),
      range,
      series.interval,
      openingPrice(bounds),
    );
  });
}

/** When the candles begin: with the token or, if no opening price is known, with the first trade. */
function firstMoment(bounds: CandleBoundsRow): bigint | undefined {
  const traded = bounds.first_open_time === null ? undefined : BigInt(bounds.first_open_time);
  if (openingPrice(bounds) === undefined || bounds.created_at === "0") return traded;
  // Custom contracts may emit trades before they announce the token.
  return minBigint(BigInt(bounds.created_at), traded ?? BigInt(bounds.created_at));
}

function openingPrice({ opening_price_bnb_x36, opening_price_usd_x36 }: CandleBoundsRow): Close | undefined {
  if (opening_price_bnb_x36 === null || opening_price_bnb_x36 === "0") return undefined;
  return { close_bnb_x36: opening_price_bnb_x36, close_usd_x36: opening_price_usd_x36 };
}
