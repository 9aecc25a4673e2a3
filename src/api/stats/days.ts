import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/not-found.ts";
import { staleWhileRevalidate } from "../concurrency/single-flight.ts";
import type { Database } from "../database/database.ts";
import { busy } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { daySeconds, isoDay, isoTime } from "../market/time.ts";
import { toTradeTotals } from "../market/trade-totals.mapper.ts";
import type { TotalsRow } from "../market/windows.query.ts";
import { checkpointBlock, checkpointTime } from "../ponder/index-state.query.ts";
import { type DaysRow, type LaunchpadTotals, readDays } from "./stats.query.ts";
import { daysRoute, maxDays } from "./stats.routes.ts";
import type { Days } from "./stats.schema.ts";

const times = { refreshMs: 10_000, staleMs: 20_000, maxWaitMs: 8_000 };

/** Each chain's days are read once for all clients, and not for each block. */
export function createDays({ chains, db }: { chains: Chains; db: Database }) {
  const readers = new Map<number, () => Promise<{ row: DaysRow | undefined } | undefined>>();

  function readShared(chainId: number) {
    const read =
      readers.get(chainId) ??
      staleWhileRevalidate(async () => ({ row: await readDays(db, chainId, maxDays) }), times);
    readers.set(chainId, read);
    return read();
  }

  return createRouter().openapi(daysRoute, async (c) => {
    const { days, chainId: asked } = c.req.valid("query");
    const { id: chainId } = chains.choose(asked);
    const read = await readShared(chainId);
    if (read === undefined) throw busy("reads of past days");
    if (read.row === undefined) throw nothingIndexed(chainId);
    return c.json(toDays(read.row, { chainId, days }), 200);
  });
}

/** The totals of a chain's last days. */
function toDays(row: DaysRow, { chainId, days }: { chainId: number; days: number }): Days {
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
