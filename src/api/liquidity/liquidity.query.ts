import { liquidityChange } from "ponder:schema";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Address } from "viem";
import { type Database, selectRows } from "../database/database.ts";
import type { KeysetPage } from "../http/cursor.ts";

export type LiquidityRow = typeof liquidityChange.$inferSelect;

type LiquidityQuery = KeysetPage & { chainId: number; mint: Address };

/** Reads a token's liquidity changes after a position (time and id), newest first. */
export async function readLiquidity(
  db: Database,
  { chainId, mint, after, limit }: LiquidityQuery,
): Promise<LiquidityRow[]> {
  const { id, timestamp, token } = liquidityChange;
  return await selectRows(db, () =>
    db
      .select()
      .from(liquidityChange)
      .where(
        and(
          eq(liquidityChange.chainId, chainId),
          eq(token, mint),
          after && sql`(${timestamp}, ${id}) < (${after.first}::int8, ${after.second})`,
        ),
      )
      .orderBy(desc(timestamp), desc(id))
      .limit(limit),
  );
}
