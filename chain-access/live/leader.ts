import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { Header } from "./block.ts";
import { type Heads, within } from "./heads.ts";

export type LeaderOptions = {
  heads: Heads;
  pollingMs: number;
  /** Called with each head of the leader. */
  onHead: (header: Header) => void;
  /** Whether a subscription is currently delivering heads, so that the leader need not be polled. */
  isSubscribed: () => boolean;
  log: (line: string) => void;
};

/** Blocks. An endpoint that is further ahead than this replaces the leader. */
export const maxLag = 2;
/** So does one that is ahead by less in this many refreshes in a row. */
const maxTimesBehind = 3;
/** Polls of the leader between refreshes of all endpoints' heads. */
const pollsPerRefresh = 5;
/** The share of the leader's rate limit that polls may use. The rest is for preparing blocks. */
const maxRateShare = 0.5;

/**
 * Follows the head of one endpoint, the leader, until it fails, is late or falls behind. Following whichever endpoint is ahead
 * would switch back and forth between endpoints on different forks.
 */
export function createLeader({ heads, pollingMs, onHead, isSubscribed, log }: LeaderOptions) {
  let leader: Endpoint | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Refreshes in a row in which another endpoint was ahead. */
  let behindFor = 0;
  let running: AbortController | undefined;

  /** How many blocks the best endpoint is ahead of the leader. */
  const lag = () => (heads.best()?.head ?? 0) - (leader?.head ?? Number.NEGATIVE_INFINITY);

  /** Milliseconds between polls. */
  const pause = () =>
    Math.max(pollingMs, 1_000 / (maxRateShare * (leader?.rate ?? Number.POSITIVE_INFINITY)));

  async function lookAround(hung?: Endpoint): Promise<void> {
    lookedAt = performance.now();
    await heads.refresh(hung);
    behindFor = lag() > 0 ? behindFor + 1 : 0;
  }

  /** Chooses another leader if the current one has failed or is behind. */
  function choose(hasFailed: boolean): void {
    const best = heads.best(hasFailed ? leader : undefined);
    if (best === undefined || best === leader) return;
    const isBetter = hasFailed ? best.isHealthy : lag() > maxLag || behindFor >= maxTimesBehind;
    if (!isBetter) return;
    if (leader !== undefined) log(`following ${best.name}: ${leader.name} ${whyReplaced(leader, hasFailed)}`);
    leader = best;
    behindFor = 0;
  }

  async function round(): Promise<void> {
    if (performance.now() - lookedAt >= pollsPerRefresh * pause()) {
      const looking = lookAround();
      if (leader === undefined) await looking;
    }
    if (isSubscribed()) return;
    const header = leader && (await within(leader.lateAfterMs, heads.poll(leader)));
    if (header === undefined) await lookAround(leader);
    choose(leader !== undefined && header === undefined);
    const head = leader && heads.latestOf(leader);
    if (head !== undefined) onHead(head);
  }

  return {
    start(): void {
      if (running !== undefined) return;
      const stopping = new AbortController();
      running = stopping;
      void (async () => {
        while (!stopping.signal.aborted) {
          const startedAt = performance.now();
          await round();
          const rest = Math.max(0, pause() - (performance.now() - startedAt));
          await delay(rest, undefined, { signal: stopping.signal }).catch(stopped);
        }
      })();
    },

    stop(): void {
      running?.abort();
      running = undefined;
    },
  };
}

/** Describes why a leader was replaced. One without a head in time has either failed or become slow. */
function whyReplaced({ isHealthy }: Endpoint, isWithoutHead: boolean): string {
  if (!isWithoutHead) return "is behind";
  return isHealthy ? "is late" : "failed";
}

/** The loop checks the signal itself. */
const stopped = () => {};
