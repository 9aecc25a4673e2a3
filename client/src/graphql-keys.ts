// Generated from ponder.schema.ts: `npm run client:generate`.

/**
 * The fields that identify a row of each GraphQL type, for caches that normalise. An `id` or an address alone is not unique: both
 * chains may have it.
 */
export const graphqlKeys = {
  account: ["chainId", "address"],
  bnbUsdAnswer: ["chainId", "id"],
  candle: ["chainId", "token", "interval", "openTime"],
  curve: ["chainId", "token"],
  dexPair: ["chainId", "address"],
  earlyBuyer: ["chainId", "token", "account"],
  holder: ["chainId", "token", "account"],
  launchpad: ["chainId"],
  liquidityChange: ["chainId", "id"],
  pastBalance: ["chainId", "token", "account", "untilDay"],
  position: ["chainId", "token", "account"],
  token: ["chainId", "address"],
  tokenSymbol: ["chainId", "symbolHash"],
  trade: ["chainId", "id"],
  transfer: ["chainId", "id"],
  activeToken: ["chainId", "address"],
  listing: ["chainId", "address"],
} as const;
