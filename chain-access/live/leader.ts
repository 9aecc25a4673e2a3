import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { Header } from "./block.ts";
import { type Heads, within } from "./heads.ts";

export type LeaderOptions = {
  heads: Heads;
  pollingMs: number;
  /** Called with each head of the endpoint that is followed. */
  onHead: (header: Header) => void;
  /** Whether heads come from elsewhere for now, so that none has to be asked for. */
  isFed: () => boolean;
  log: (line: string) => void;
};

/** Blocks: whoever is further ahead than that is followed instead. */
export const largestLag = 2;
/** Or one that is ahead by less so many times in a row. */
const timesBehind = 3;
/** Polls of the leader between two looks at the heads of all endpoints. */
const pollsToLook = 5;
/** Of the requests that the leader takes, polls use no more than this share: the rest is for what blocks need. */
const mostOfRate = 0.5;

/**
 * Follows the head of one endpoint. It stays with it until it fails, is late, or is behind: endpoints on different forks would
 * otherwise be followed in turns.
 */
export function createLeader({ heads, pollingMs, onHead, isFed, log }: LeaderOptions) {
  let leader: Endpoint | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Looks in a row at which another was ahead. */
  let behindFor = 0;
  let running: AbortController | undefined;

  /** Blocks by which the best endpoint is ahead of the leader. */
  const lag = () => (heads.best()?.head ?? 0) - (leader?.head ?? Number.NEGATIVE_INFINITY);

  /** Milliseconds between two polls. */
  const pause = () => Math.max(pollingMs, 1_000 / (mostOfRate * (leader?.rate ?? Number.POSITIVE_INFINITY)));

  async function lookAround(hung?: Endpoint): Promise<void> {
    lookedAt = performance.now();
    await heads.refresh(hung);
    behindFor = lag() > 0 ? behindFor + 1 : 0;
  }

  /** Chooses another leader if the present one has failed or is behind. */
  function choose(hasFailed: boolean): void {
    const best = heads.best(hasFailed ? leader : undefined);
    if (best === undefined || best === leader) return;
    const isBetter = hasFailed ? best.isHealthy : lag() > largestLag || behindFor >= timesBehind;
    if (!isBetter) return;
    if (leader !== undefined) log(`following ${best.name}: ${leader.name} ${whyNot(leader, hasFailed)}`);
    leader = best;
    behindFor = 0;
  }

  async function round(): Promise<void> {
    if (performance.now() - lookedAt >= pollsToLook * pause()) {
      const looking = lookAround();
      if (leader === undefined) await looking;
    }
    if (isFed()) return;
    const header = leader && (await within(leader.late, heads.poll(leader)));
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

/** An endpoint whose head did not come in time has failed or is just slower than it was. */
function whyNot({ isHealthy }: Endpoint, isWithoutHead: boolean): string {
  if (!isWithoutHead) return "is behind";
  return isHealthy ? "is late" : "failed";
}

/** The loop sees it. */
const stopped = () => {};
