import { eventId } from "../../../curve/event-id.ts";
import type { Database } from "../../database/database.ts";
import { toJoinOrExit, toSwap } from "../dexscreener/dex-screener.mapper.ts";
import type { DexEvent } from "../dexscreener/dexscreener.schema.ts";
import { readLiquidityBetween } from "./final-liquidity.query.ts";
import { readTradesBetween } from "./final-trades.query.ts";

/** Rows of each kind that are read at a time, which bounds the memory of one answer. */
const batchSize = 1_000;

type Range = { chainId: number; fromBlock: number; toBlock: number };
type EventPosition = { id: string; block: string; log_index: number };

/** Yields all swaps, joins and exits of the blocks, both ends inclusive, in chain order. The blocks must be final. */
export async function* readEventBatches(
  db: Database,
  { chainId, fromBlock, toBlock }: Range,
): AsyncGenerator<DexEvent[], void> {
  const before = eventId(toBlock + 1);
  let from = eventId(fromBlock);
  for (;;) {
    const part = { chainId, from, before, limit: batchSize };
    const [trades, changes] = await Promise.all([
      readTradesBetween(db, part),
      readLiquidityBetween(db, part),
    ]);
    const end = firstTruncation([trades, changes]);
    const events = [
      ...trades.map((row) => ({ id: row.id, event: toSwap(row) })),
      ...changes.map((row) => ({ id: row.id, event: toJoinOrExit(row) })),
    ].filter(({ id }) => end === undefined || id <= end.id);
    yield events.sort((left, right) => (left.id < right.id ? -1 : 1)).flatMap(({ event }) => event ?? []);
    if (end === undefined) return;
    from = eventId(Number(end.block), end.log_index + 1);
  }
}

/** Returns the position up to which all lists are complete; undefined if none was truncated. */
function firstTruncation(lists: readonly EventPosition[][]): EventPosition | undefined {
  const ends = lists.flatMap((rows) => (rows.length < batchSize ? [] : rows.slice(-1)));
  return ends.sort((left, right) => (left.id < right.id ? -1 : 1))[0];
}
