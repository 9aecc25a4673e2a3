import { chainOf, e18, e36, time, type View } from "./view.ts";

/**
 * The intervals of REST: each with the stored interval that its candles are merged from, its length in seconds, and how many
 * seconds before 1970 the candle that contains its start begins.
 */
export const candleIntervals = [
  { interval: "1m", of: "1m", seconds: 60, before1970: 0 },
  { interval: "5m", of: "1m", seconds: 300, before1970: 0 },
  { interval: "15m", of: "1m", seconds: 900, before1970: 0 },
  { interval: "30m", of: "1m", seconds: 1_800, before1970: 0 },
  { interval: "1h", of: "1h", seconds: 3_600, before1970: 0 },
  { interval: "4h", of: "1h", seconds: 14_400, before1970: 0 },
  { interval: "1d", of: "1h", seconds: 86_400, before1970: 0 },
  // Weeks begin on Mondays, and 1970 on a Thursday.
  { interval: "1w", of: "1h", seconds: 604_800, before1970: 259_200 },
];

const names = candleIntervals.map(({ interval }) => interval).join(", ");

/** The intervals that are not stored. */
const merged = candleIntervals.filter(({ interval, of }) => interval !== of);

const columns = [
  "open_bnb_x36",
  "high_bnb_x36",
  "low_bnb_x36",
  "close_bnb_x36",
  "volume_wei",
  "volume_raw",
  "trades",
  "open_usd_x36",
  "high_usd_x36",
  "low_usd_x36",
  "close_usd_x36",
  "volume_usd_x18",
];

function mergedColumn(column: string): string {
  if (/^high/.test(column)) return `max(${column})`;
  if (/^low/.test(column)) return `min(${column})`;
  if (column === "trades") return "sum(trades)::int4";
  if (/^volume/.test(column)) return `sum(${column})`;
  const inOrder = `array_agg(${column} order by open_time) filter (where ${column} is not null)`;
  return /^open/.test(column) ? `(${inOrder})[1]` : `(${inOrder})[count(${column})]`;
}

function mergedCandles({ interval, of, seconds, before1970 }: (typeof merged)[number]): string {
  // As in the index of candle: then a range of times reads only the stored candles of that time.
  const sinceStart = before1970 === 0 ? "open_time" : `(open_time + ${before1970})`;
  const opening = `open_time - ${sinceStart} % ${seconds}`;
  return `select chain_id, token, '${interval}'::text, ${opening}, ${columns.map(mergedColumn).join(", ")}
    from onchain.candle where interval = '${of}' group by chain_id, token, ${opening}`;
}

export const candles: View = {
  name: "candles",
  key: ["chain_id", "mint", "interval", "open_timestamp"],
  comment: `What was traded of each token in intervals of ${names}, which begin at multiples of their length (UTC). Those without trades have no row. 1m and 1h are stored, the others are made of them when they are asked for: give chain_id, mint and interval`,
  columns: {
    ...chainOf("k"),
    mint: ["k.token", "The token"],
    interval: ["k.interval", `${names} (from Monday)`],
    ...time(["open_time", "open_timestamp"], "k.open_time", "When it begins", "order"),
    open_bnb: [e36("k.open_bnb_x36"), "BNB for one token before its first trade"],
    high_bnb: [e36("k.high_bnb_x36"), "BNB for one token, the highest"],
    low_bnb: [e36("k.low_bnb_x36"), "BNB for one token, the lowest"],
    close_bnb: [e36("k.close_bnb_x36"), "BNB for one token after its last trade"],
    volume_bnb: [e18("k.volume_wei"), "BNB traded, buys and sells"],
    volume_tokens: [e18("k.volume_raw"), "Tokens traded, buys and sells"],
    trades: ["k.trades", "Number of trades"],
    open_usd: [e36("k.open_usd_x36"), "USD for one token; null where no trade had a rate"],
    high_usd: [e36("k.high_usd_x36"), "USD for one token; null where no trade had a rate"],
    low_usd: [e36("k.low_usd_x36"), "USD for one token; null where no trade had a rate"],
    close_usd: [e36("k.close_usd_x36"), "USD for one token; null where no trade had a rate"],
    volume_usd: [e18("k.volume_usd_x18"), "USD traded, each trade at its own rate; null as the prices"],
  },
  from: `(
    select chain_id, token, interval, open_time, ${columns.join(", ")} from onchain.candle
    union all ${merged.map(mergedCandles).join("\n    union all ")}
  ) k`,
};
