// Generated from ponder.schema.ts: `npm run client:generate`.

/**
 * The fields that identify a row of each GraphQL type, for caches that normalise. An `id` is unique over chains. An address is not:
 * both chains may have it.
 */
export const graphqlKeys = {
  account: ["chainId", "address"],
  bnbUsdAnswer: ["id"],
  candle: ["chainId", "token", "interval", "openTime"],
  curve: ["chainId", "token"],
  dexPair: ["chainId", "address"],
  earlyBuyer: ["chainId", "token", "account"],
  holder: ["chainId", "token", "account"],
  launchpad: ["chainId"],
  liquidityChange: ["id"],
  pastBalance: ["chainId", "token", "account", "untilDay"],
  position: ["chainId", "token", "account"],
  token: ["chainId", "address"],
  tokenSymbol: ["chainId", "symbolHash"],
  trade: ["id"],
  transfer: ["id"],
  activeToken: ["chainId", "address"],
  listing: ["chainId", "address"],
} as const;
