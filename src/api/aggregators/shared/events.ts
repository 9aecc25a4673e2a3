import { eventId } from "../../../curve/event-id.ts";
import type { Database } from "../../database/database.ts";
import { toSwap } from "../dexscreener/dex-screener.mapper.ts";
import { readTradesBetween } from "./final-trades.query.ts";

/** Rows read at a time, and so held in memory for one answer. */
const batch = 1_000;

type Range = { chainId: number; fromBlock: number; toBlock: number };

/** The JSON of all swaps in the blocks, both included, in parts. The blocks have to be final. */
export async function* swapsInParts(
  db: Database,
  { chainId, fromBlock, toBlock }: Range,
): AsyncGenerator<string, void> {
  const before = eventId(toBlock + 1);
  let from = eventId(fromBlock);
  let separator = '{"events":[';
  for (;;) {
    const rows = await readTradesBetween(db, { chainId, from, before, limit: batch });
    const swaps = rows.flatMap((row) => toSwap(row) ?? []).map((swap) => JSON.stringify(swap));
    const last = rows.length < batch ? undefined : rows.at(-1);
    const part = swaps.join(",");
    if (last === undefined) {
      yield `${part === "" && separator === "," ? "" : separator}${part}]}`;
      return;
    }
    if (part !== "") {
      yield separator + part;
      separator = ",";
    }
    from = eventId(Number(last.block), last.log_index + 1);
  }
}
