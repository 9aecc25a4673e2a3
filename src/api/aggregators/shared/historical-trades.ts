import type { Database } from "../../database/database.ts";
import { toHistoricalTrade } from "../coingecko/coingecko.mapper.ts";
import { type HistoricalTradesQuery, readHistoricalTrades } from "../coingecko/historical-trades.query.ts";

/** Rows read at a time, and so held in memory for one answer. */
const batch = 1_000;

type Wanted = Omit<HistoricalTradesQuery, "limit"> & {
  /** The last so many; undefined: all. */
  limit: number | undefined;
};

/** The JSON of a token's trades by type, the last first, in parts. */
export async function* historicalTradesInParts(
  db: Database,
  { limit, ...wanted }: Wanted,
): AsyncGenerator<string, void> {
  if (limit !== undefined) {
    const trades = toTrades(await readHistoricalTrades(db, { ...wanted, limit }));
    const ofType = (side: "buy" | "sell") => trades.filter(({ type }) => type === side);
    yield JSON.stringify({ buy: ofType("buy"), sell: ofType("sell") });
    return;
  }
  yield '{"buy":[';
  if (wanted.side !== "sell") yield* allInParts(db, { ...wanted, side: "buy" });
  yield '],"sell":[';
  if (wanted.side !== "buy") yield* allInParts(db, { ...wanted, side: "sell" });
  yield "]}";
}

async function* allInParts(
  db: Database,
  query: Omit<HistoricalTradesQuery, "limit">,
): AsyncGenerator<string, void> {
  let { to, before } = query;
  for (let separator = ""; ; ) {
    const rows = await readHistoricalTrades(db, { ...query, to, before, limit: batch });
    const part = toTrades(rows)
      .map((trade) => JSON.stringify(trade))
      .join(",");
    if (part !== "") {
      yield separator + part;
      separator = ",";
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return;
    to = Number(last.timestamp);
    before = last.id;
  }
}

const toTrades = (rows: Parameters<typeof toHistoricalTrade>[0][]) =>
  rows.flatMap((row) => toHistoricalTrade(row) ?? []);
