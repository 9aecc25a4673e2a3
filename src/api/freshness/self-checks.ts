import { pause } from "../../../config/async.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { isTransientDatabaseError } from "../../../config/error-code.ts";
import { onReload } from "../../../config/reload.ts";
import { createCallReader } from "../../../verify/read-calls.ts";
import { createSelfCheck, type SelfCheck, type SelfCheckResults } from "../../../verify/self-check.ts";
import { createPool } from "../database/database.ts";
import { counter, gauge, metricText } from "../http/metric-text.ts";
import { isIndexer } from "../ponder/internals.ts";
import type { SelfCheckReport } from "./index-report.schema.ts";
import type { IndexWatch } from "./index-watch.ts";

/** Requests of one comparison. One that took more, for an endpoint that takes few calls at a time, delays the next. */
const requestsPerCheck = 3;
/** Full nodes keep the state of 128 blocks, and the final block is 30 or so behind the last indexed one. */
const maxLagBlocks = 64;

export type SelfChecksOptions = {
  /** Between two comparisons of a chain. 0: there are none. */
  seconds: number;
  chains: ChainSettings[];
  databaseUrl: string | undefined;
  databaseSchema: string;
  watch: Pick<IndexWatch, "report">;
};

export type SelfChecks = {
  /** Undefined if this process doesn't compare the chain. */
  report(chainId: number): SelfCheckReport | undefined;
  readMetrics(): string;
};

/** Compares a few rows with the contracts again and again, in the process that indexes, while the index is close to the head. */
export function startSelfChecks(options: SelfChecksOptions): SelfChecks {
  const { seconds, chains, databaseUrl, databaseSchema, watch } = options;
  const stopping = new AbortController();
  onReload("self checks", () => stopping.abort());
  const { signal } = stopping;
  const checks = new Map<number, SelfCheck>();

  if (seconds > 0 && isIndexer()) {
    const name = `${databaseSchema}_self_check`;
    const pool = createPool({ url: databaseUrl, name, connections: 1, statementSeconds: 10 });
    for (const chain of chains) {
      const reader = createCallReader(chain.rpcUrls, { rounds: 1 });
      const index = { schema: databaseSchema, chain };
      const check = createSelfCheck({
        ...index,
        pool,
        reader,
        signal,
        log: (line) => console.warn(`index: ${line}`),
      });
      checks.set(chain.id, check);
      const isClose = () => isCloseToHead(watch, chain.id);
      void repeat({ check, reader, isClose, intervalMs: seconds * 1_000, signal });
    }
    signal.addEventListener("abort", () => void pool.end(), { once: true });
  }

  return {
    report(chainId) {
      const check = checks.get(chainId);
      return check === undefined ? undefined : toReport(check.results());
    },
    readMetrics: () => formatMetrics(Array.from(checks, ([id, check]) => [id, check.results()])),
  };
}

type Repeated = {
  check: SelfCheck;
  reader: { requests: number };
  isClose: () => boolean;
  intervalMs: number;
  signal: AbortSignal;
};

/** Never rejects. */
async function repeat({ check, reader, isClose, intervalMs, signal }: Repeated): Promise<void> {
  let requests = 0;
  for (;;) {
    await pause(intervalMs * Math.max(1, Math.ceil(requests / requestsPerCheck)), signal);
    if (signal.aborted) return;
    const requestsBefore = reader.requests;
    if (isClose()) await check.run().catch((error: unknown) => logUnexpected(error, signal));
    else check.skip("the index is behind the chain's head, or no endpoint has named the head");
    requests = reader.requests - requestsBefore;
  }
}

function isCloseToHead(watch: Pick<IndexWatch, "report">, chainId: number): boolean {
  const at = watch.report().chains.find((chain) => chain.chainId === chainId);
  return (at?.lagBlocks ?? Number.POSITIVE_INFINITY) <= maxLagBlocks;
}

/** Logs the error, unless this is the end or the database is unavailable. */
function logUnexpected(error: unknown, signal: AbortSignal): void {
  if (!signal.aborted && !isTransientDatabaseError(error)) console.error("self-check:", error);
}

function toReport({ last, problem, differences }: SelfCheckResults): SelfCheckReport {
  return {
    block: last?.block ?? null,
    checkedAt: last === undefined ? null : new Date(last.at).toISOString(),
    samples: last?.calls ?? 0,
    problem: problem ?? null,
    differences: differences.map(({ token, account = null, what, ours, onChain, block }) => ({
      token,
      account,
      what,
      ours,
      onChain,
      block,
    })),
  };
}

function formatMetrics(results: (readonly [chainId: number, results: SelfCheckResults])[]): string {
  const ofEach = (read: (results: SelfCheckResults) => number | null) =>
    results.map(([chainId, ofChain]) => ({ labels: { chain: chainId }, value: read(ofChain) }));
  return metricText([
    counter(
      "launchpad_compared_total",
      "Answers of contracts that were compared with the index",
      ofEach(({ compared }) => compared),
    ),
    counter(
      "launchpad_differences_total",
      "Values of the index that differed from the contracts' at two final blocks",
      ofEach(({ confirmed }) => confirmed),
    ),
    gauge(
      "launchpad_differences",
      "Such values that still differed in the last comparison, at most 20",
      ofEach(({ differences }) => differences.length),
    ),
    gauge(
      "launchpad_compared_timestamp_seconds",
      "When the index was last compared with the contracts, in seconds since 1970",
      ofEach(({ last }) => (last === undefined ? null : Math.floor(last.at / 1_000))),
    ),
  ]);
}
