import type { Database } from "../../database/database.ts";
import { toHistoricalTrades } from "../coingecko/coingecko.mapper.ts";
import type { HistoricalTrade } from "../coingecko/coingecko.routes.ts";
import { type HistoricalTradesQuery, readHistoricalTrades } from "../coingecko/historical-trades.query.ts";

/** Rows that are read at a time, which bounds the memory of one answer. */
const batchSize = 1_000;

/** Yields all of a token's trades, the latest first. */
export async function* readHistoricalTradeBatches(
  db: Database,
  query: Omit<HistoricalTradesQuery, "limit">,
): AsyncGenerator<HistoricalTrade[], void> {
  let { to, before } = query;
  for (;;) {
    const rows = await readHistoricalTrades(db, { ...query, to, before, limit: batchSize });
    yield toHistoricalTrades(rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    to = Number(last.timestamp);
    before = last.id;
  }
}
