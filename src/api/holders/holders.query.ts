import { curve, holder, token } from "ponder:schema";
import { and, desc, eq, gt } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { type Database, selectRows } from "../database/database.ts";
import { riskColumns } from "../market/risk.query.ts";

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

export type HolderRow = Awaited<ReturnType<typeof readHolders>>[number];

/** Returns everyone with a balance, the largest first, including contracts and burn addresses. */
export async function readHolders(
  db: Database,
  { chainId, mint, offset, limit }: { chainId: number; mint: Address; offset: number; limit: number },
) {
  const { account, balanceRaw, kind, insiderHops, earlyBlock } = holder;
  return await selectRows(db, () =>
    db
      .select({ account, balanceRaw, kind, insiderHops, earlyBlock })
      .from(holder)
      .where(and(eq(holder.chainId, chainId), eq(holder.token, mint), gt(balanceRaw, 0n)))
      .orderBy(desc(balanceRaw), desc(account))
      .limit(limit)
      .offset(offset),
  );
}
