import type { ChainSize } from "../index/chain/build-chain.ts";

export type ChainName = keyof typeof chainSizes;

/** Both have fewer blocks than BNB Smart Chain would have, since every block up to the last trade has events. */
export const chainSizes = {
  /** One transaction per block, nearly two thirds of them swaps after graduation. */
  sparse: { tokens: 60, trades: 9_800, transactionsPerBlock: 1 },
  /** 250 transactions per block. */
  dense: { tokens: 1_000, trades: 20_000 },
} satisfies Record<string, ChainSize>;

export const chainNames = Object.keys(chainSizes) as ChainName[];
