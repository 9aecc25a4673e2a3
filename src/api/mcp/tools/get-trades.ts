import { z } from "zod";
import { namedTrade } from "../../trades/trade.schema.ts";
import { tokenTradesRoute, tradesRoute } from "../../trades/trades.routes.ts";
import { address, chainId, limit } from "../inputs.ts";
import { cursorInput, nextCursor, readFittingPage } from "../pages.ts";
import { readingTool } from "../tool.ts";
import { untrustedNames, withUntrustedNames } from "../untrusted.ts";

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
    const { rows, ...place } = await readFittingPage({ cursor, limit }, async (page) => {
      const { trades, nextCursor } = await ask(tradesRoute, { query: { mint, trader, chainId, ...page } });
      return { rows: trades.map(withUntrustedNames), nextCursor };
    });
    // None may also mean that the mint is wrong: then this throws.
    if (rows.length === 0 && mint !== undefined) {
      await ask(tokenTradesRoute, { path: { mint }, query: { limit: 1, chainId } });
    }
    return { trades: rows, ...place };
  },
});
