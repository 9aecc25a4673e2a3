import { curve, holder, token } from "ponder:schema";
import { and, desc, eq, gt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { type Database, selectRows } from "../database/database.ts";
import type { KeysetPosition } from "../http/cursor.ts";
import { riskColumns } from "../market/risk.query.ts";
import { maxRank } from "./holders.routes.ts";

const t = alias(token, "t");
const c = alias(curve, "c");

export async function readTokenSupply(db: Database, chainId: number, mint: Address) {
  const [row] = await selectRows(db, () =>
    db
      .select({
        creator: t.creator,
        holderCount: t.holderCount,
        totalSupplyRaw: t.totalSupplyRaw,
        ...riskColumns,
      })
      .from(t)
      .leftJoin(c, and(eq(c.chainId, t.chainId), eq(c.token, t.address)))
      .where(and(eq(t.chainId, chainId), eq(t.address, mint))),
  );
  return row;
}

export type HolderRow = Omit<Awaited<ReturnType<typeof readHolders>>[number], "ahead">;

export type HoldersQuery = {
  chainId: number;
  mint: Address;
  /** Where the page begins: after this position, or at this offset without one. */
  after?: KeysetPosition | undefined;
  offset: number;
  limit: number;
};

/**
 * Returns everyone with a balance, the largest first, including contracts and burn addresses. `ahead` is how many come before the first
 * row, counted up to {@link maxRank}.
 */
export async function readHolders(db: Database, { chainId, mint, after, offset, limit }: HoldersQuery) {
  const { account, balanceRaw, kind, insiderHops, earlyBlock } = holder;
  const position = after && sql`(${after.first}::numeric, ${after.second})`;
  const isHeld = and(eq(holder.chainId, chainId), eq(holder.token, mint), gt(balanceRaw, 0n));
  const ahead =
    position === undefined
      ? sql<number>`${offset}::int`
      : sql<number>`(select count(*)::int from (
          select from ${holder} where ${isHeld} and (${balanceRaw}, ${account}) >= ${position} limit ${maxRank}
        ) ahead)`;
  return await selectRows(db, () =>
    db
      .select({ account, balanceRaw, kind, insiderHops, earlyBlock, ahead: ahead.as("ahead") })
      .from(holder)
      .where(and(isHeld, position && sql`(${balanceRaw}, ${account}) < ${position}`))
      .orderBy(desc(balanceRaw), desc(account))
      .limit(limit)
      .offset(position === undefined ? offset : 0),
  );
}
