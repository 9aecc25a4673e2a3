import { overdrafts as channel, type Overdraft } from "../../curve/overdraft.ts";
import { metricText } from "../http/metric-text.ts";

/** Milliseconds between two lines of the log: a contract that isn't ours may emit any number of impossible transfers. */
const quietMs = 60_000;

export type Overdrafts = { readMetrics(): string; stop(): void };

/** Counts transfers that exceed the balance of their sender, which is a sign of lost events, and logs one a minute. */
export function countOverdrafts(chainIds: number[], log: (line: string) => void): Overdrafts {
  const counts = new Map(chainIds.map((chainId) => [chainId, 0]));
  let unreported = 0;
  let quietUntil = Number.NEGATIVE_INFINITY;

  function count(message: unknown): void {
    const { chainId, token, account, balanceRaw, sentRaw } = message as Overdraft;
    counts.set(chainId, (counts.get(chainId) ?? 0) + 1);
    const now = performance.now();
    if (now < quietUntil) {
      unreported += 1;
      return;
    }
    const more = unreported === 0 ? "" : ` ${unreported} more have not been logged.`;
    log(
      `index: chain ${chainId}: ${account} sent ${sentRaw} base units of ${token}, but has ${balanceRaw} in the index: ` +
        `an earlier transfer is missing, or the token is not an honest ERC-20.${more}`,
    );
    quietUntil = now + quietMs;
    unreported = 0;
  }

  channel.subscribe(count);
  return {
    readMetrics: () =>
      metricText([
        {
          name: "launchpad_overdrafts_total",
          type: "counter",
          help: "Indexed transfers of more than their sender had in the index",
          samples: Array.from(counts, ([chainId, value]) => ({ labels: { chain: chainId }, value })),
        },
      ]),
    stop: () => void channel.unsubscribe(count),
  };
}

// In development, Ponder reloads the API in the same process.
const running = globalThis as { LAUNCHPAD_OVERDRAFTS?: Overdrafts };

/** Starts counting, and stops the previous count. */
export function startOverdrafts(chainIds: number[]): Overdrafts {
  running.LAUNCHPAD_OVERDRAFTS?.stop();
  running.LAUNCHPAD_OVERDRAFTS = countOverdrafts(chainIds, console.warn);
  return running.LAUNCHPAD_OVERDRAFTS;
}
