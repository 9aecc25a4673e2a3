import { curve, launchpad } from "ponder:schema";
import { and, eq, sql } from "drizzle-orm";
import type { Address } from "viem";
import { type Database, type PooledDatabase, prepareRows, selectRows } from "../database/database.ts";
import { checkpoints } from "../ponder/index-state.query.ts";

export type CurveRow = NonNullable<Awaited<ReturnType<typeof readCurve>>>;

export async function readCurve(db: Database, chainId: number, mint: Address) {
  const [row] = await selectRows(db, () =>
    db
      .select({
        curve,
        latestCheckpoint: sql<string>`at.latest_checkpoint`,
        /** USD for one BNB with 8 decimals, as last answered; null without a price feed. */
        bnbUsdX8: launchpad.bnbUsdX8,
      })
      .from(curve)
      .innerJoin(sql`${checkpoints} at`, sql`at.chain_id = ${curve.chainId}`)
      .leftJoin(launchpad, eq(launchpad.chainId, curve.chainId))
      .where(and(eq(curve.chainId, chainId), eq(curve.token, mint))),
  );
  return row;
}

export type CurveProgressRow = { token: string; progress: number; graduated: boolean };

const curveProgress = prepareRows<CurveProgressRow>(
  "curve_progress",
  () => sql`select token, progress, graduated from ${curve}
            where chain_id = ${sql.placeholder("chain")} and token = any(${sql.placeholder("mints")}::text[])`,
);

/** Returns the mints that have a curve, in no particular order. */
export async function readCurveProgress(
  db: PooledDatabase,
  chainId: number,
  mints: Address[],
): Promise<CurveProgressRow[]> {
  return await curveProgress(db, [chainId, mints]);
}
