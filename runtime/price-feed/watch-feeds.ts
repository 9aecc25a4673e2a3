import { setTimeout as delay } from "node:timers/promises";
import type { ChainSettings } from "../../config/env.ts";
import type { ChosenFeeds } from "./choose-feeds.ts";
import { type FeedChain, feedVariable, resolveChainFeeds } from "./resolve-feed.ts";

export type WatchFeedsOptions = {
  chains: ChainSettings[];
  /** The contracts that are indexed. */
  chosen: ChosenFeeds;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  signal: AbortSignal;
  log: (line: string) => void;
  pauseMs?: number;
};

const HOUR_MS = 3_600_000;

/** An abort ends the pause early; the loop checks for it. */
const endPause = () => {};

/**
 * Checks hourly, until the signal aborts, whether a proxy has switched to an aggregator that is not indexed, and logs that
 * once, because the indexed rate doesn't change from then on. Never rejects.
 */
export async function watchFeeds(options: WatchFeedsOptions): Promise<void> {
  const { chains, chosen, schema, signal, log, pauseMs = HOUR_MS } = options;
  const watched = chains.filter(({ id }) => chosen.has(id));
  const known = new Map(watched.map(({ id }) => [id, new Set<string>(chosen.get(id))]));

  async function look(chain: FeedChain): Promise<void> {
    // Errors of the feed or the endpoints are reported elsewhere.
    const now = await resolveChainFeeds(chain).catch(() => undefined);
    for (const aggregator of now?.aggregators ?? []) {
      if (known.get(chain.id)?.has(aggregator)) continue;
      known.get(chain.id)?.add(aggregator);
      log(
        `${feedVariable(chain)}: the feed has a new aggregator, ${aggregator}, that the schema ${schema} was not started with, so the last rate stays: for new rates set DATABASE_SCHEMA to a new name and start again, which indexes everything again from the stored history`,
      );
    }
  }

  while (watched.length > 0 && !signal.aborted) {
    for (const chain of watched) await look(chain);
    await delay(pauseMs, undefined, { signal }).catch(endPause);
  }
}
