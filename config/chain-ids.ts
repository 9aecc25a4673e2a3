/** The chains that can be indexed: BNB Smart Chain and its testnet. */
export const chainIds = [56, 97] as const;
export type ChainId = (typeof chainIds)[number];
