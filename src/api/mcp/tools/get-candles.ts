import { z } from "zod";
import { type Candle, candlesRoute } from "../../candles/candles.routes.ts";
import { intervals } from "../../candles/intervals.ts";
import { chainId, limit, mint } from "../inputs.ts";
import { cursorInput, nextCursor, readFittingPage } from "../pages.ts";
import { readingTool } from "../tool.ts";

const row = z.object({
  time: z.int().describe("The start of the interval, in seconds since 1970."),
  openTime: z.iso.datetime().describe("The same in ISO 8601."),
  openBnb: z.string(),
  highBnb: z.string(),
  lowBnb: z.string(),
  closeBnb: z.string(),
  volumeBnb: z.string(),
  trades: z.int(),
});

export const getCandles = readingTool({
  name: "get_candles",
  title: "Get candles",
  description:
    "Open, high, low, close (BNB for one token) and volume over time, newest first, across curve and DEX. Use it for price history. Not for the price now (get_token) or single trades (get_trades).",
  isOpenWorld: false,
  input: z.object({
    mint,
    interval: z.enum(intervals).default("1h").describe("The length of a candle."),
    limit: limit(200, 48),
    cursor: cursorInput,
    chainId,
  }),
  output: z.object({
    mint: z.string(),
    interval: z.enum(intervals),
    candles: z.array(row).describe("Newest first. An interval without trades repeats the last close."),
    nextCursor,
  }),
  async run({ mint, interval, limit, cursor, chainId }, { ask }) {
    const { rows, ...place } = await readFittingPage({ cursor, limit }, async ({ cursor: to, limit }) => {
      const { candles } = await ask(candlesRoute, {
        path: { mint },
        query: { interval, limit, to, chainId },
      });
      const [oldest] = candles;
      const isLast = oldest === undefined || candles.length < limit;
      return { rows: candles.reverse().map(toRow), nextCursor: isLast ? null : String(oldest.time - 1) };
    });
    return { mint, interval, candles: rows, ...place };
  },
});

const toRow = ({ time, openTime, openBnb, highBnb, lowBnb, closeBnb, volumeBnb, trades }: Candle) => ({
  time,
  openTime,
  openBnb,
  highBnb,
  lowBnb,
  closeBnb,
  volumeBnb,
  trades,
});
