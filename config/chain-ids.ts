/** The chains that can be indexed: BNB Smart Chain and its testnet. */
export const chainIds = [56, 97] as const;
export type ChainId = (typeof chainIds)[number];

/** The chain that is meant where none is named: mainnet or, if that is not indexed, the first. */
export const defaultChainId = (indexed: readonly number[]) => (indexed.includes(56) ? 56 : indexed[0]);

/** The environment variable that configures the price feed of a chain. */
export function feedVariable({ id }: { id: ChainId }): string {
  return `BNB_USD_FEED_ADDRESS_${id}`;
}
