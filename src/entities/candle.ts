import { candle } from "ponder:schema";
import { addAmount, clamp, higher, lower } from "../curve/amounts.ts";
import { storedIntervals, storedOpenTime } from "../curve/intervals.ts";
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
  beforeX36: bigint;
  afterX36: bigint;
  /** The same in USD; null without a rate. */
  beforeUsdX36: bigint | null;
  afterUsdX36: bigint | null;
  /** Wei, base units, USD with 18 decimals. */
  volumeBnb: bigint;
  volumeTokens: bigint;
  volumeUsd: bigint | null;
};

/** Applies a trade to the candle of each stored interval. */
export async function recordInCandles({ db, chain }: EntityContext, move: PriceMove): Promise<void> {
  const { token, timestamp, lastTradeAt } = move;
  for (const interval of storedIntervals) {
    const key = { chainId: chain.id, token, interval, openTime: storedOpenTime(interval, timestamp) };
    // Tells whether the candle exists without a lookup, which would be a query if the row is not in memory.
    if (lastTradeAt === null || lastTradeAt < key.openTime) {
      await db.insert(candle).values({ ...key, ...startedCandle(move) });
    } else {
      await db.update(candle, key).set((row) => moved(row, move));
    }
  }
}

function startedCandle({ beforeX36, afterX36, beforeUsdX36, afterUsdX36, ...volumes }: PriceMove) {
  return {
    openX36: beforeX36,
    ...reach(beforeX36, afterX36),
    closeX36: afterX36,
    volumeBnb: clamp(volumes.volumeBnb),
    volumeTokens: clamp(volumes.volumeTokens),
    trades: 1,
    ...startedInUsd(beforeUsdX36, afterUsdX36, volumes.volumeUsd),
  };
}
function moved(row: CandleRow, move: PriceMove) {
  const { afterX36 } = move;
  return {
    highX36: higher(afterX36, row.highX36),
    lowX36: lower(afterX36, row.lowX36),
    closeX36: afterX36,
    volumeBnb: addAmount(row.volumeBnb, move.volumeBnb),
    volumeTokens: addAmount(row.volumeTokens, move.volumeTokens),
    trades: row.trades + 1,
    ...movedInUsd(row, move),
  };
}

function reach(left: bigint, right: bigint) {
  return { highX36: higher(left, right), lowX36: lower(left, right) };
}

function startedInUsd(before: bigint | null, after: bigint | null, volumeUsd: bigint | null) {
  if (after === null) {
    return { openUsdX36: null, highUsdX36: null, lowUsdX36: null, closeUsdX36: null, volumeUsd: null };
  }
  const open = before ?? after;
  const { highX36: highUsdX36, lowX36: lowUsdX36 } = reach(open, after);
  return { openUsdX36: open, highUsdX36, lowUsdX36, closeUsdX36: after, volumeUsd };
}

/** A candle has no USD prices until its first trade with a rate. */
function movedInUsd(row: CandleRow, { beforeUsdX36, afterUsdX36, volumeUsd }: PriceMove) {
  if (afterUsdX36 === null) return {};
  if (row.openUsdX36 === null || row.highUsdX36 === null || row.lowUsdX36 === null) {
    return startedInUsd(beforeUsdX36, afterUsdX36, volumeUsd);
  }
  return {
    highUsdX36: higher(afterUsdX36, row.highUsdX36),
    lowUsdX36: lower(afterUsdX36, row.lowUsdX36),
    closeUsdX36: afterUsdX36,
    volumeUsd: addAmount(row.volumeUsd ?? 0n, volumeUsd ?? 0n),
  };
}
