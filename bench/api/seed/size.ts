/** How much is in the tables. */
export type FixtureSize = {
  /** Registered tokens. One in twenty more is not registered. */
  tokens: number;
  trades: number;
};

export const chainId = 56;

/** Tokens on the chain, registered or not. */
export const createdTokens = ({ tokens }: FixtureSize) => Math.ceil(tokens * 1.05);

/** Accounts that trade. */
export const traders = ({ trades }: FixtureSize) => Math.max(100, Math.min(400_000, Math.ceil(trades / 10)));

/** The fixture's time: half a year with a block each second, that ends at a fixed moment. Seconds since 1970. */
export const timeline = (() => {
  const end = 1_760_000_000;
  const start = end - 180 * 24 * 3_600;
  const firstBlock = 40_000_000;
  return { start, end, firstBlock, endBlock: firstBlock + end - start };
})();

/** Blocks that a reorg may still take back. */
export const unsafeBlocks = 30;

/** A checkpoint of Ponder's after all of a block: time, chain, block, then the largest of what is within a block. */
export function checkpoint(timestamp: number, block: number): string {
  const padded = (value: number) => String(value).padStart(16, "0");
  return `${String(timestamp).padStart(10, "0")}${padded(chainId)}${padded(block)}${"9".repeat(33)}`;
}
