import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/nothing-indexed.ts";
import { refreshed } from "../concurrency/refreshed.ts";
import type { Database } from "../database/database.ts";
import { busy } from "../http/busy.ts";
import { createRouter } from "../http/router.ts";
import { toDays } from "./days.mapper.ts";
import { type DaysRow, readDays } from "./days.query.ts";
import { daysRoute, mostDays } from "./days.routes.ts";

const times = { refreshMs: 10_000, staleMs: 20_000, patienceMs: 8_000 };

/** The days of each chain are read once for all who ask, and not for each block. */
export function createDays({ chains, db }: { chains: Chains; db: Database }) {
  const kept = new Map<number, () => Promise<{ row: DaysRow | undefined } | undefined>>();

  function readKept(chainId: number) {
    const read =
      kept.get(chainId) ?? refreshed(async () => ({ row: await readDays(db, chainId, mostDays) }), times);
    kept.set(chainId, read);
    return read();
  }

  return createRouter().openapi(daysRoute, async (c) => {
    const { days, chainId: asked } = c.req.valid("query");
    const { id: chainId } = chains.choose(asked);
    const read = await readKept(chainId);
    if (read === undefined) throw busy("readings of past days");
    if (read.row === undefined) throw nothingIndexed(chainId);
    return c.json(toDays(read.row, { chainId, days }), 200);
  });
}
