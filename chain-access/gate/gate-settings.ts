import { feedStartBlock } from "../../config/chains.ts";
import type { ChainSettings } from "../../config/env.ts";
import { isShownOnTerminal } from "../../config/terminal.ts";
import type { GateSettings } from "./messages.ts";

/** The gate's part of the settings: those of the chains that Ponder does not read itself. */
export const gateSettings = (
  database: Pick<GateSettings, "databaseUrl" | "schema" | "indexedTimeQuery">,
  chains: ChainSettings[],
): GateSettings => ({
  ...database,
  isForTerminal: isShownOnTerminal(),
  chains: chains
    .filter(({ sync }) => sync === "built-in")
    .map((chain) => ({
      rpcUrls: chain.rpcUrls,
      webSocketUrls: chain.webSocketUrls,
      portal: chain.historySource === undefined ? undefined : { url: chain.historySource },
      pollingMs: chain.pollingInterval,
      sources: {
        chainId: chain.id,
        tokenFactory: chain.tokenFactory,
        launchpad: chain.launchpad,
        priceFeeds: chain.priceFeeds,
        startBlock: chain.startBlock,
        feedStartBlock: feedStartBlock(chain),
      },
    })),
});
