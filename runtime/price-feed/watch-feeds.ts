import { pause } from "../../config/async.ts";
import { feedVariable } from "../../config/chains.ts";
import type { ChainSettings } from "../../config/env.ts";
import type { ChosenFeeds } from "./choose-feeds.ts";
import type { FeedChain, ResolvedFeed } from "./resolve-feed.ts";

type WatchFeedsOptions = {
  chains: ChainSettings[];
  /** The contracts that are indexed. */
  chosen: ChosenFeeds;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  signal: AbortSignal;
  log: (line: string) => void;
  /** Reads which contracts are behind the configured feeds now. */
  resolve: (chain: FeedChain) => Promise<ResolvedFeed | undefined>;
  pauseMs?: number;
};

const HOUR_MS = 3_600_000;

/**
 * Checks hourly, until the signal aborts, whether a proxy has switched to an aggregator that is not indexed, and logs that
 * once, because the indexed rate doesn't change from then on. Never rejects.
 */
export async function watchFeeds(options: WatchFeedsOptions): Promise<void> {
  const { chains, chosen, schema, signal, log, resolve, pauseMs = HOUR_MS } = options;
  const watched = chains.filter(({ id }) => chosen.has(id));
  const watchedFeeds = new Map(watched.map(({ id }) => [id, new Set<string>(chosen.get(id))]));

  async function look(chain: FeedChain): Promise<void> {
    // Errors of the feed or the endpoints are reported elsewhere.
    const now = await resolve(chain).catch(() => undefined);
    for (const aggregator of now?.aggregators ?? []) {
      if (watchedFeeds.get(chain.id)?.has(aggregator)) continue;
      watchedFeeds.get(chain.id)?.add(aggregator);
      log(
        `${feedVariable(chain)}: the feed has a new aggregator, ${aggregator}, that the schema ${schema} was not started with, so the last rate stays: for new rates set DATABASE_SCHEMA to a new name and start again, which indexes everything again from the stored history`,
      );
    }
  }

  while (watched.length > 0 && !signal.aborted) {
    for (const chain of watched) await look(chain);
    await pause(pauseMs, signal);
  }
}
