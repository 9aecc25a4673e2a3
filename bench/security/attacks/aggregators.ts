import { type Attack, pickCombination, readListedTokens } from "./attack.ts";

export const tickers: Attack = {
  description: "GET /api/coingecko/tickers, 1,000 a page",
  prepare: async () => (count) => ({ path: `/api/coingecko/tickers?limit=1000&page=${1 + (count % 20)}` }),
};

export const historicalTrades: Attack = {
  description: "GET /api/coingecko/historical_trades, all trades of a token",
  prepare: async (ask) => {
    const { mints } = await readListedTokens(ask);
    const { body } = await ask({ path: "/api/coingecko/tickers?limit=1" });
    const [ticker] = JSON.parse(body) as { target_currency: string }[];
    return (count) => ({
      path: `/api/coingecko/historical_trades?ticker_id=${pickCombination(count, mints)[0]}_${ticker?.target_currency}&limit=0`,
    });
  },
};

export const dexEvents: Attack = {
  description: "GET /api/dexscreener/events, 10,000 blocks at a time",
  prepare: async (ask) => {
    const { body } = await ask({ path: "/api/dexscreener/latest-block" });
    const last = (JSON.parse(body) as { block: { blockNumber: number } }).block.blockNumber;
    return (count) => {
      const toBlock = last - 10_000 * (count % 50);
      return { path: `/api/dexscreener/events?fromBlock=${Math.max(0, toBlock - 9_999)}&toBlock=${toBlock}` };
    };
  },
};

export const tokenLists: Attack = {
  description: "GET /api/tokenlist.json",
  prepare: async () => () => ({ path: "/api/tokenlist.json" }),
};
