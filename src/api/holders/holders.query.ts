import { curve, holder, token } from "ponder:schema";
import { and, desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { type Database, selectRows } from "../database/database.ts";
import { type PageStart, rankedPage } from "../market/ranked-page.query.ts";
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

export type HoldersQuery = PageStart & { chainId: number; mint: Address; limit: number };

/**
 * Returns everyone with a balance, the largest first, including contracts and burn addresses. `ahead` is how many come before the first
 * row, counted up to {@link maxRank}.
 */
export async function readHolders(db: Database, { chainId, mint, limit, ...start }: HoldersQuery) {
  const { account, balanceRaw, kind, insiderHops, earlyBlock } = holder;
  const isHeld = sql`${holder.chainId} = ${chainId} and ${holder.token} = ${mint} and ${balanceRaw} > 0`;
  const { isAfter, ahead, offset } = rankedPage(start, {
    from: sql`${holder}`,
    where: isHeld,
    first: sql`${balanceRaw}`,
    second: sql`${account}`,
    type: sql`numeric`,
    maxRank,
  });
  return await selectRows(db, () =>
    db
      .select({ account, balanceRaw, kind, insiderHops, earlyBlock, ahead: ahead.as("ahead") })
      .from(holder)
      .where(and(isHeld, isAfter))
      .orderBy(desc(balanceRaw), desc(account))
      .limit(limit)
      .offset(offset),
  );
}
