import { createRpcClient } from "../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../config/env.ts";
import { StartError } from "../start-error.ts";
import { type ResolvedFeed, resolveFeed } from "./resolve-feed.ts";

const TIMEOUT_MS = 5_000;

/** What has to be known of a chain to find its price feed. */
export type FeedChain = Pick<ChainSettings, "id" | "rpcUrls" | "priceFeeds">;

/** The variable that configures the feed of a chain. */
export function feedVariable({ id }: Pick<FeedChain, "id">): string {
  return `BNB_USD_FEED_ADDRESS_${id}`;
}

/**
 * Resolves every configured feed of a chain, at the first of its endpoints that answers all questions; undefined when none
 * does. Throws a StartError when a feed is none.
 */
export async function askChain(chain: FeedChain): Promise<ResolvedFeed | undefined> {
  for (const url of chain.rpcUrls) {
    const client = createRpcClient({ urls: [url], endpointMs: TIMEOUT_MS, retryCount: 1 });
    try {
      // Endpoints were checked, but one that was away then may be of any chain.
      if ((await client.getChainId()) !== chain.id) continue;
      const feeds = await Promise.all(
        chain.priceFeeds.map((address) => resolveFeed(client, address, feedVariable(chain))),
      );
      return {
        // Sorted, since Ponder takes another order for another app.
        aggregators: [...new Set(feeds.flatMap(({ aggregators }) => aggregators))].sort(),
        remarks: feeds.flatMap(({ remarks }) => remarks),
      };
    } catch (error) {
      if (error instanceof StartError) throw error;
    }
  }
  return undefined;
}
