import { dayOf } from "../../domain/intervals.ts";
import type { Chains } from "../chain/chains.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { floorRatio } from "../market/price.ts";
import { daySeconds, isoDay, isoTime } from "../market/time.ts";
import { type HolderDays, holderDaysRoute, maxBalances } from "./holders.routes.ts";
import { readHeldTokenAndHead } from "./holders-at.ts";
import { readHolderDays } from "./past-balances.query.ts";

export function createHolderDays({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(holderDaysRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { days, chainId: asked } = c.req.valid("query");
    const { id: chainId } = chains.choose(asked);
    const ofToken = { chainId, mint };
    const { head, firstDay, lastDay, rows } = await inSnapshot(db, async (tx) => {
      const { held, head } = await readHeldTokenAndHead(tx, ofToken);
      const lastDay = dayOf(BigInt(head.timestamp));
      const wantedDay = Math.max(dayOf(held.createdAt), lastDay - days + 1);
      const graduatedDay = held.graduatedAt === null ? null : dayOf(held.graduatedAt);
      const rows = await readHolderDays(tx, {
        ...ofToken,
        firstDay: wantedDay,
        lastDay,
        graduatedDay,
        maxBalances,
      });
      return { head, firstDay: rows[0]?.first_day ?? wantedDay, lastDay, rows };
    });
    const byDay = new Map(rows.map((row) => [row.day, row]));
    const body: HolderDays = {
      mint,
      chainId,
      asOf: { block: head.block, time: isoTime(head.timestamp) },
      days: Array.from({ length: lastDay - firstDay + 1 }, (_, index): HolderDays["days"][number] => {
        const day = firstDay + index;
        const { holders = 0, circulating = 0, squares = 0, top10 = 0 } = byDay.get(day) ?? {};
        const all = BigInt(circulating);
        return {
          day: isoDay(day * daySeconds),
          holders,
          top10Percent: floorRatio(BigInt(top10) * 100n, all),
          effectiveHolders: floorRatio(all * all, BigInt(squares)),
        };
      }),
    };
    return c.json(body, 200);
  });
}
