import { curve, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";

/**
 * If more seconds than this lie between two checks, more trades may have left a window in between than there are tokens with
 * trades, so all tokens with recent trades are selected instead.
 */
const maxGapSeconds = 900;

export type ChangedTokensOptions = {
  chainId: number;
  /** The time of the chain's last indexed block. All times are in seconds. */
  now: number;
  /** At the previous check: the time of the last indexed block, and of the last final one. Undefined on the first check. */
  before: { now: number; safe: number } | undefined;
  /** The lengths of the windows. */
  windows: number[];
};

/**
 * Selects the tokens of a chain that were traded since the previous check, or some of whose trades have left a window since.
 * Leaves out tokens whose trades were all removed by a reorg.
 */
export function changedTokens({ chainId, now, before, windows }: ChangedTokensOptions): SQL[] {
  const longest = Math.max(...windows);
  const tradedSince = (condition: SQL) =>
    sql`select token from ${curve} where chain_id = ${chainId} and last_trade_at ${condition}`;
  if (before === undefined) return [tradedSince(sql`> ${now - longest}`)];

  const traded = tradedSince(sql`>= ${before.safe}`);
  // After a reorg, time may have gone backwards, and trades may be in windows again that they had left.
  const [from, to] = [Math.min(before.now, now), Math.max(before.now, now)];
  if (to - from > maxGapSeconds) return [traded, tradedSince(sql`> ${from - longest}`)];
  return [
    traded,
    ...windows.map(
      (seconds) => sql`select distinct token from ${trade} where chain_id = ${chainId}
        and timestamp > ${from - seconds} and timestamp <= ${to - seconds}`,
    ),
  ];
}
