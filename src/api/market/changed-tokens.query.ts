import { curve, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";

/**
 * From so many seconds on between two looks, the trades that have left a window meanwhile may be more than the tokens that had
 * any.
 */
const longSeconds = 900;

export type LookAtTokens = {
  chainId: number;
  /** The time of the chain's last indexed block. All times are in seconds. */
  now: number;
  /** The same at the last look, and up to when nothing could be taken back by a reorg then; undefined: there was none. */
  before: { now: number; safe: number } | undefined;
  /** The lengths of the windows that are looked at. */
  windows: number[];
};

/**
 * Selects the tokens of a chain that were traded since the last look, or have trades that are in another window now that time has
 * passed. Not those whose trades were all taken back.
 */
export function changedTokens({ chainId, now, before, windows }: LookAtTokens): SQL[] {
  const longest = Math.max(...windows);
  const tradedSince = (condition: SQL) =>
    sql`select token from ${curve} where chain_id = ${chainId} and last_trade_at ${condition}`;
  if (before === undefined) return [tradedSince(sql`> ${now - longest}`)];

  const traded = tradedSince(sql`>= ${before.safe}`);
  // After a reorg, time may have gone back, and trades into the windows that they had left.
  const [from, to] = [Math.min(before.now, now), Math.max(before.now, now)];
  if (to - from > longSeconds) return [traded, tradedSince(sql`> ${from - longest}`)];
  return [
    traded,
    ...windows.map(
      (seconds) => sql`select distinct token from ${trade} where chain_id = ${chainId}
        and timestamp > ${from - seconds} and timestamp <= ${to - seconds}`,
    ),
  ];
}
