import { toUsd } from "../../curve/usd.ts";
import { formatAmount, formatRate } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import { toTradedToDate, toTradeTotals } from "../market/trade-totals.mapper.ts";
import { perWindow } from "../market/windows.ts";
import { checkpointBlock, checkpointTime } from "../ponder/index-state.query.ts";
import type { StatsRow } from "./stats.query.ts";
import type { Stats } from "./stats.schema.ts";

/** Maps the totals of a chain to their response. */
export function toStats(
  row: StatsRow,
  { chainId, registered }: { chainId: number; registered: number },
): Stats {
  const hasRate = row.bnb_usd_x8 !== null;
  return {
    chainId,
    asOf: {
      block: checkpointBlock(row.latest_checkpoint),
      time: isoTime(checkpointTime(row.latest_checkpoint)),
    },
    tokens: row.tokens,
    registeredTokens: registered,
    graduatedTokens: row.graduated,
    inCurvesBnb: formatAmount(row.in_curves_wei),
    ...toTradedToDate(row, hasRate),
    ...toUsdFields(row),
    windows: perWindow((_, index) => ({
      ...toTradeTotals(row, row.before_windows[index] ?? null, hasRate),
      tokensCreated: row.created_in_windows[index] ?? 0,
      tokensGraduated: row.graduated_in_windows[index] ?? 0,
    })),
  };
}

function toUsdFields({
  in_curves_wei,
  bnb_usd_x8,
  bnb_usd_at,
}: StatsRow): Pick<Stats, "inCurvesUsd" | "bnbUsd" | "bnbUsdAt"> {
  if (bnb_usd_x8 === null || bnb_usd_at === null) return {};
  const inCurves = toUsd(BigInt(in_curves_wei), BigInt(bnb_usd_x8));
  return {
    inCurvesUsd: formatAmount(String(inCurves)),
    bnbUsd: formatRate(bnb_usd_x8),
    bnbUsdAt: isoTime(bnb_usd_at),
  };
}
