import { toUsd } from "../../domain/price.ts";
import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { formatAmount, formatRate } from "../market/price.ts";
import { isoTime, perWindow } from "../market/time.ts";
import { toTradedToDate, toTradeTotals } from "../market/trade-totals.mapper.ts";
import { checkpointBlock, checkpointTime } from "../ponder/index-state.query.ts";
import { readStats, type StatsRow } from "./stats.query.ts";
import { statsRoute } from "./stats.routes.ts";
import type { Stats } from "./stats.schema.ts";

export type StatsDeps = {
  chains: Chains;
  db: Database;
  /** How many registered tokens of a chain are in the list. */
  countListed: (chainId: number) => Promise<number>;
};

export function createStats({ chains, db, countListed }: StatsDeps) {
  return createRouter().openapi(statsRoute, async (c) => {
    const { id: chainId } = chains.choose(c.req.valid("query").chainId);
    const [row, registered] = await Promise.all([readStats(db, chainId), countListed(chainId)]);
    if (row === undefined) throw nothingIndexed(chainId);
    return c.json(toStats(row, { chainId, registered }), 200);
  });
}

/** Maps the totals of a chain to their response. */
function toStats(row: StatsRow, { chainId, registered }: { chainId: number; registered: number }): Stats {
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
