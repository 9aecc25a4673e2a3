import type { ChainSettings } from "../../config/env.ts";

const contract = `0x${"1".repeat(40)}` as const;

/** The settings of a chain without endpoints, whose contracts have one address, but for these changes. */
export const chainSettings = (changes: Partial<ChainSettings> = {}): ChainSettings => ({
  id: 56,
  rpcUrls: [],
  sync: "built-in",
  webSocketUrls: [],
  pollingInterval: 1_000,
  priceFeeds: [],
  tokenFactory: contract,
  launchpad: contract,
  startBlock: 0,
  ...changes,
});
