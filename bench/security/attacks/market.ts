import { type Attack, choose, listed } from "./attack.ts";

export const accounts: Attack = {
  what: "GET /api/account/{address}, 100 of each part",
  prepare: async (ask) => {
    const { creators } = await listed(ask);
    return (count) => ({ path: `/api/account/${choose(count, creators)[0]}?limit=100` });
  },
};

export const candles: Attack = {
  what: "GET /api/token/{mint}/candles, as many as there may be",
  prepare: async (ask) => {
    const { mints } = await listed(ask);
    return (count) => {
      const [mint, interval] = choose(count, mints, ["1m", "30m", "1d", "1w"]);
      return { path: `/api/token/${mint}/candles?interval=${interval}&limit=1500` };
    };
  },
};

export const curves: Attack = {
  what: "GET /api/curves, 100 mints at a time",
  prepare: async (ask) => {
    const { mints } = await listed(ask);
    return () => ({ path: `/api/curves?mints=${mints.join(",")}` });
  },
};

export const holders: Attack = {
  what: "GET /api/token/{mint}/holders, as deep as pages reach",
  prepare: async (ask) => {
    const { mints } = await listed(ask);
    return (count) => ({ path: `/api/token/${choose(count, mints)[0]}/holders?limit=100&page=100` });
  },
};

export const trades: Attack = {
  what: "GET /api/token/{mint}/trades, 100 a page",
  prepare: async (ask) => {
    const { mints } = await listed(ask);
    return (count) => ({ path: `/api/token/${choose(count, mints)[0]}/trades?limit=100` });
  },
};
