import { daySeconds, isoDay, isoTime } from "../market/time.ts";
import { toTradeTotals } from "../market/trade-totals.mapper.ts";
import type { TotalsRow } from "../market/windows.query.ts";
import { checkpointBlock, checkpointTime } from "../ponder/index-state.query.ts";
import type { DaysRow, LaunchpadTotals } from "./days.query.ts";
import type { Days } from "./days.schema.ts";

/** The totals of a chain's last days. */
export function toDays(row: DaysRow, { chainId, days }: { chainId: number; days: number }): Days {
  let before = row.before;
  const all = row.after.map((after, index): Days["days"][number] => {
    // A day without trades ends as it began.
    const ended = after ?? before ?? [0, 0, "0", "0"];
    const traded = toTradeTotals(toTotals(ended), before, row.has_rate);
    before = ended;
    return {
      day: isoDay(Number(row.first_day) + index * daySeconds),
      ...traded,
      tokensCreated: row.created?.[index] ?? 0,
      tokensGraduated: row.graduated?.[index] ?? 0,
    };
  });
  return {
    chainId,
    asOf: {
      block: checkpointBlock(row.latest_checkpoint),
      time: isoTime(checkpointTime(row.latest_checkpoint)),
    },
    days: all.slice(-days),
  };
}

const toTotals = ([buys, sells, wei, usd]: LaunchpadTotals): TotalsRow => ({
  buys_to_date: buys,
  sells_to_date: sells,
  volume_to_date_wei: wei,
  volume_to_date_usd_x18: usd,
});
