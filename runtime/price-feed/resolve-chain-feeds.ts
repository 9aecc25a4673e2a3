import { createRpcClient } from "../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../config/env.ts";
import { StartError } from "../start-error.ts";
import { type ResolvedFeed, resolveFeed } from "./resolve-feed.ts";

const TIMEOUT_MS = 5_000;

/** The settings of a chain that its price feeds depend on. */
export type FeedChain = Pick<ChainSettings, "id" | "rpcUrls" | "priceFeeds">;

/** The environment variable that configures the feed of a chain. */
export function feedVariable({ id }: Pick<FeedChain, "id">): string {
  return `BNB_USD_FEED_ADDRESS_${id}`;
}

/**
 * Resolves every configured feed of a chain through the first endpoint that answers all calls; undefined if none does. Throws
 * a StartError for an address that is not a feed.
 */
export async function resolveChainFeeds(chain: FeedChain): Promise<ResolvedFeed | undefined> {
  for (const url of chain.rpcUrls) {
    const client = createRpcClient({ urls: [url], endpointMs: TIMEOUT_MS, retryCount: 1 });
    try {
      // The endpoint may have been unavailable when the chains were checked, and may serve another chain.
      if ((await client.getChainId()) !== chain.id) continue;
      const feeds = await Promise.all(
        chain.priceFeeds.map((address) => resolveFeed(client, address, feedVariable(chain))),
      );
      return {
        // Sorted, because a different order would change Ponder's build id.
        aggregators: [...new Set(feeds.flatMap(({ aggregators }) => aggregators))].sort(),
        remarks: feeds.flatMap(({ remarks }) => remarks),
      };
    } catch (error) {
      if (error instanceof StartError) throw error;
    }
  }
  return undefined;
}
