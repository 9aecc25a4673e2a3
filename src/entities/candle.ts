import { candle } from "ponder:schema";
import { addAmount, clamp, maxBigint, minBigint } from "../domain/amounts.ts";
import { storedIntervals, storedOpenTime } from "../domain/intervals.ts";
import type { Address, EntityContext } from "./context.ts";

type CandleRow = typeof candle.$inferSelect;

/** How one trade moves the price. Prices have 36 decimals, times are in seconds. */
export type PriceMove = {
  token: Address;
  /** Seconds. */
  timestamp: bigint;
  /** When the token was last traded before this; null if never. Seconds. */
  lastTradeAt: bigint | null;
  /** BNB per token after the previous trade, and after this one. */
  beforeBnbX36: bigint;
  afterBnbX36: bigint;
  /** USD per token after the previous trade, and after this one; null without a rate. */
  beforeUsdX36: bigint | null;
  afterUsdX36: bigint | null;
  /** Wei, base units, USD with 18 decimals. */
  volumeWei: bigint;
  volumeRaw: bigint;
  volumeUsdX18: bigint | null;
};

/** Applies a trade to the candle of each stored interval. */
export async function recordInCandles({ db, chain }: EntityContext, move: PriceMove): Promise<void> {
  const { token, timestamp, lastTradeAt } = move;
  for (const interval of storedIntervals) {
    const key = { chainId: chain.id, token, interval, openTime: storedOpenTime(interval, timestamp) };
    // This shows whether the candle exists without a lookup, which would be a query if the row is not in memory.
    if (lastTradeAt === null || lastTradeAt < key.openTime) {
      await db.insert(candle).values({ ...newCandle(move), ...key });
    } else {
      await db.update(candle, key).set((row) => applyMove(row, move));
    }
  }
}

function newCandle({ beforeBnbX36, afterBnbX36, beforeUsdX36, afterUsdX36, ...volumes }: PriceMove) {
  return {
    openBnbX36: beforeBnbX36,
    highBnbX36: maxBigint(beforeBnbX36, afterBnbX36),
    lowBnbX36: minBigint(beforeBnbX36, afterBnbX36),
    closeBnbX36: afterBnbX36,
    volumeWei: clamp(volumes.volumeWei),
    volumeRaw: clamp(volumes.volumeRaw),
    trades: 1,
    ...newUsdPrices(beforeUsdX36, afterUsdX36, volumes.volumeUsdX18),
  };
}

function applyMove(row: CandleRow, move: PriceMove) {
  const { afterBnbX36 } = move;
  return {
    highBnbX36: maxBigint(afterBnbX36, row.highBnbX36),
    lowBnbX36: minBigint(afterBnbX36, row.lowBnbX36),
    closeBnbX36: afterBnbX36,
    volumeWei: addAmount(row.volumeWei, move.volumeWei),
    volumeRaw: addAmount(row.volumeRaw, move.volumeRaw),
    trades: row.trades + 1,
    ...applyUsdMove(row, move),
  };
}

function newUsdPrices(before: bigint | null, after: bigint | null, volumeUsdX18: bigint | null) {
  if (after === null) {
    return { openUsdX36: null, highUsdX36: null, lowUsdX36: null, closeUsdX36: null, volumeUsdX18: null };
  }
  const open = before ?? after;
  const [highUsdX36, lowUsdX36] = [maxBigint(open, after), minBigint(open, after)];
  return { openUsdX36: open, highUsdX36, lowUsdX36, closeUsdX36: after, volumeUsdX18 };
}

/** A candle has no USD prices until its first trade with a rate. */
function applyUsdMove(row: CandleRow, { beforeUsdX36, afterUsdX36, volumeUsdX18 }: PriceMove) {
  if (afterUsdX36 === null) return {};
  if (row.openUsdX36 === null || row.highUsdX36 === null || row.lowUsdX36 === null) {
    return newUsdPrices(beforeUsdX36, afterUsdX36, volumeUsdX18);
  }
  return {
    highUsdX36: maxBigint(afterUsdX36, row.highUsdX36),
    lowUsdX36: minBigint(afterUsdX36, row.lowUsdX36),
    closeUsdX36: afterUsdX36,
    volumeUsdX18: addAmount(row.volumeUsdX18 ?? 0n, volumeUsdX18 ?? 0n),
  };
}
