import type { ChainSize } from "../index/chain/build-chain.ts";

export type ChainName = keyof typeof chainSizes;

/** Both have fewer blocks than BNB Smart Chain would: there is none without an event until the last trade. */
export const chainSizes = {
  /** A transaction in a block, nearly two thirds of them swaps after graduation. */
  sparse: { tokens: 60, trades: 9_800, transactionsPerBlock: 1 },
  /** 250 transactions in a block. */
  dense: { tokens: 1_000, trades: 20_000 },
} satisfies Record<string, ChainSize>;

export const chainNames = Object.keys(chainSizes) as ChainName[];
