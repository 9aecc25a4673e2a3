import { setTimeout as delay } from "node:timers/promises";
import type { Address } from "viem";
import { type ChainId, feedVariable } from "../../config/chains.ts";
import type { ChainSettings } from "../../config/env.ts";
import { findFeedAggregators, saveFeedAggregators } from "../../offchain/price-feed.ts";
import { checkChains } from "../checks/check-chains.ts";
import { isIndexed } from "../ponder/indexed-schemas.ts";
import { type ResolvedFeed, resolveChainFeeds } from "./resolve-feed.ts";

/** The contracts whose answers are indexed, for each chain with a price feed. */
export type ChosenFeeds = Map<ChainId, Address[]>;

export type ChooseFeedsOptions = {
  chains: ChainSettings[];
  databaseUrl: string;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  signal: AbortSignal;
  log: (line: string) => void;
  /** Runs once if no endpoint responds at first. */
  onWait?: () => void;
  firstPauseMs?: number;
};

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Chooses the contracts to index for the configured price feeds. Ponder resumes a schema only with the contracts that it was
 * started with, so those found at the first start are stored and used again, whatever a proxy reports now. Waits until an
 * endpoint responds. Throws a StartError for an address that is not a feed, and the signal's reason.
 */
export async function chooseFeeds(options: ChooseFeedsOptions): Promise<ChosenFeeds> {
  const { chains, databaseUrl, schema, log } = options;
  const withFeed = chains.filter(({ priceFeeds }) => priceFeeds.length > 0);
  const isBegun = withFeed.length > 0 && (await isIndexed(databaseUrl, schema));

  async function choose(chain: ChainSettings): Promise<[ChainId, Address[]]> {
    const key = { onchainSchema: schema, chainId: chain.id, configured: chain.priceFeeds.toSorted() };
    const begunWith = isBegun ? await findFeedAggregators(databaseUrl, key) : undefined;
    if (begunWith !== undefined) return [chain.id, begunWith as Address[]];

    const { aggregators, remarks } = await waitForFeeds(chain, options);
    for (const remark of remarks) log(remark);
    await saveFeedAggregators(databaseUrl, key, aggregators);
    return [chain.id, aggregators];
  }

  return new Map(await Promise.all(withFeed.map(choose)));
}

async function waitForFeeds(
  chain: ChainSettings,
  { signal, log, onWait, firstPauseMs = FIRST_PAUSE_MS }: ChooseFeedsOptions,
): Promise<ResolvedFeed> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const answer = await resolveChainFeeds(chain);
    signal.throwIfAborted();
    if (answer !== undefined) return answer;
    if (pause === firstPauseMs) {
      onWait?.();
      log(
        `no endpoint of PONDER_RPC_URL_${chain.id} can resolve the contracts behind ${feedVariable(chain)}: waiting for one, since they decide what is indexed`,
      );
    }
    await delay(pause, undefined, { signal });
    // Checks an endpoint that was unavailable when the chains were checked first.
    await checkChains([chain]);
  }
}
