import { type Attack, pickCombination, readListedTokens } from "./attack.ts";

export const accounts: Attack = {
  description: "GET /api/account/{address}, 100 entries of each list",
  prepare: async (ask) => {
    const { creators } = await readListedTokens(ask);
    return (count) => ({ path: `/api/account/${pickCombination(count, creators)[0]}?limit=100` });
  },
};

export const candles: Attack = {
  description: "GET /api/token/{mint}/candles, as many as allowed",
  prepare: async (ask) => {
    const { mints } = await readListedTokens(ask);
    return (count) => {
      const [mint, interval] = pickCombination(count, mints, ["1m", "30m", "1d", "1w"]);
      return { path: `/api/token/${mint}/candles?interval=${interval}&limit=1500` };
    };
  },
};

export const curves: Attack = {
  description: "GET /api/curves, 100 mints at a time",
  prepare: async (ask) => {
    const { mints } = await readListedTokens(ask);
    return () => ({ path: `/api/curves?mints=${mints.join(",")}` });
  },
};

export const holders: Attack = {
  description: "GET /api/token/{mint}/holders, the deepest page",
  prepare: async (ask) => {
    const { mints } = await readListedTokens(ask);
    return (count) => ({ path: `/api/token/${pickCombination(count, mints)[0]}/holders?limit=100&page=100` });
  },
};

export const trades: Attack = {
  description: "GET /api/token/{mint}/trades, 100 a page",
  prepare: async (ask) => {
    const { mints } = await readListedTokens(ask);
    return (count) => ({ path: `/api/token/${pickCombination(count, mints)[0]}/trades?limit=100` });
  },
};
