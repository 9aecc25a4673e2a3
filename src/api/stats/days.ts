import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/nothing-indexed.ts";
import { staleWhileRevalidate } from "../concurrency/stale-while-revalidate.ts";
import type { Database } from "../database/database.ts";
import { busy } from "../http/busy.ts";
import { createRouter } from "../http/router.ts";
import { toDays } from "./days.mapper.ts";
import { type DaysRow, readDays } from "./days.query.ts";
import { daysRoute, maxDays } from "./days.routes.ts";

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
