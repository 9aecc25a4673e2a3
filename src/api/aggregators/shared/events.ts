import { eventId } from "../../../curve/event-id.ts";
import type { Database } from "../../database/database.ts";
import { toSwap } from "../dexscreener/dex-screener.mapper.ts";
import type { Swap } from "../dexscreener/dexscreener.routes.ts";
import { readTradesBetween } from "./final-trades.query.ts";

/** Rows read at a time, and so held in memory for one answer. */
const batchSize = 1_000;

type Range = { chainId: number; fromBlock: number; toBlock: number };

/** All swaps in the blocks, both included, batch by batch. The blocks have to be final. */
export async function* swapBatches(
  db: Database,
  { chainId, fromBlock, toBlock }: Range,
): AsyncGenerator<Swap[], void> {
  const before = eventId(toBlock + 1);
  let from = eventId(fromBlock);
  for (;;) {
    const rows = await readTradesBetween(db, { chainId, from, before, limit: batchSize });
    yield rows.flatMap((row) => toSwap(row) ?? []);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    from = eventId(Number(last.block), last.log_index + 1);
  }
}
