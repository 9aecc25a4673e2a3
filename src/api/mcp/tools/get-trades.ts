import { z } from "zod";
import { namedTrade } from "../../trades/trade.schema.ts";
import { tradesRoute } from "../../trades/trades.routes.ts";
import { address, chainId, limit } from "../inputs.ts";
import { cursorInput, fitPage, nextCursor, readCursor } from "../pages.ts";
import { readingTool } from "../tool.ts";
import { toUntrustedNames, untrustedNames } from "../untrusted.ts";

const row = namedTrade.omit({ name: true, symbol: true }).extend({ untrusted: untrustedNames });

export const getTrades = readingTool({
  name: "get_trades",
  title: "Get trades",
  description:
    "Trades on curve and DEX, newest first: of one token, of one trader, or all. Use it to see who trades and at what price. For totals use get_token or get_stats, for prices over time get_candles.",
  isOpenWorld: true,
  input: z.object({
    mint: address("Only trades of this token.").optional(),
    trader: address("Only trades of this account.").optional(),
    limit: limit(50, 10),
    cursor: cursorInput,
    chainId,
  }),
  output: z.object({ trades: z.array(row), nextCursor }),
  async run({ mint, trader, limit, cursor, chainId }, { ask }) {
    const place = readCursor(cursor);
    const query = { mint, trader, limit, cursor: place.at, chainId };
    const { trades, nextCursor } = await ask(tradesRoute, { query });
    const rows = trades.map(({ name, symbol, ...trade }) => ({
      ...trade,
      untrusted: toUntrustedNames({ name, symbol }),
    }));
    const fitted = fitPage({ rows, next: nextCursor ?? undefined }, place);
    return { trades: fitted.rows, nextCursor: fitted.nextCursor };
  },
});
