import { reasonOf } from "../../../config/error-code.ts";
import { readsIndex } from "../concurrency/read-lanes.ts";
import type { Problem } from "../http/problem.ts";
import type { Repair } from "./freshness.query.ts";
import type { IndexReport } from "./index-report.schema.ts";
import type { IndexWatch } from "./index-watch.ts";

export type ReadyDeps = {
  watch: Pick<IndexWatch, "refresh" | "report">;
  /** Reads why what this process serves is being replaced. */
  readRepairs: () => Promise<readonly Repair[]>;
  /** Prepares what the first requests would otherwise have to wait for. */
  warmUp: () => Promise<void>;
  /** How many seconds the index may be behind a chain's head; 0 for no limit. */
  maxLagSeconds: number;
  /** Whether the process that indexes still waits for the chain to answer at all. */
  awaitsChains: () => boolean;
  log?: (line: string) => void;
};

export type Readiness = ({ ready: true } & IndexReport) | (Problem & Partial<IndexReport>);

/**
 * Answers GET /ready in place of Ponder: ready once the backfill is done, the caches are warm, and the index is close to every
 * chain's head.
 */
export function createReady({
  watch,
  readRepairs,
  warmUp,
  maxLagSeconds,
  awaitsChains,
  log = console.warn,
}: ReadyDeps): () => Promise<Readiness> {
  let state: "cold" | "warming" | "warm" = "cold";
  let lastFailure = "";
  const startWarmUp = () => {
    state = "warming";
    warmUp().then(
      () => {
        state = "warm";
      },
      // The next request tries again. Nothing else would tell why a process never becomes ready.
      (error: unknown) => {
        state = "cold";
        const failure = reasonOf(error);
        if (failure !== lastFailure) log(`the token list and the stream can't be prepared yet: ${failure}`);
        lastFailure = failure;
      },
    );
  };

  return async () => {
    try {
      const [{ isReady }, repairs] = await Promise.all([watch.refresh(), readRepairs()]);
      const report = watch.report();
      // A warm-up before the end of the backfill would be outdated.
      if (isReady && state === "cold") startWarmUp();
      const indexed = isReady ? (state === "warm" ? behind(report, maxLagSeconds) : warming) : backfilling;
      const progress = awaitsChains() ? unavailableChain : indexed;
      // Without a few events, answers are still better than none.
      const repair = repairs.find(({ isUrgent }) => isUrgent);
      const problem = repair === undefined ? progress : repairing(repair);
      return problem === undefined ? { ready: true, ...report } : { ...problem, ...report };
    } catch {
      return databaseUnavailable;
    }
  };
}

/** How many seconds behind a chain's head answers count as old, even if being ready doesn't depend on that (0). */
export const staleAfter = (maxLagSeconds: number): number => maxLagSeconds || 60;

const lateChains = ({ chains }: IndexReport, maxLagSeconds: number) =>
  chains.filter(({ lagSeconds }) => (lagSeconds ?? 0) > maxLagSeconds);

/** Whether a chain's index is so far behind. */
export const isStale = (report: IndexReport, maxLagSeconds: number): boolean =>
  lateChains(report, staleAfter(maxLagSeconds)).length > 0;

function behind(report: IndexReport, maxLagSeconds: number): Problem | undefined {
  const { writer } = report;
  const late = lateChains(report, maxLagSeconds);
  if (maxLagSeconds === 0 || late.length === 0) return undefined;
  const each = late.map(
    ({ chainId, lagSeconds, lagBlocks, endpointsAnswer }) =>
      `chain ${chainId} is ${lagSeconds} seconds (${lagBlocks} known blocks) behind its head${endpointsAnswer ? "" : ", and its RPC endpoints don't answer"}`,
  );
  const why = writer === "gone" ? " No process indexes into this schema: start npm start on it." : "";
  return {
    status: 503,
    code: "index_behind",
    detail: `More than ${maxLagSeconds} seconds (READY_MAX_LAG_SECONDS): ${each.join("; ")}.${why}`,
    retryAfter: 5,
  };
}

function repairing({ chainId, fromBlock, reason, repairedIn }: Repair): Problem {
  const next = repairedIn === null ? "a new schema" : `the schema ${repairedIn}`;
  return {
    status: 503,
    code: "repairing",
    detail: `Chain ${chainId} is indexed again from block ${fromBlock} on, into ${next}. ${reason}`,
    retryAfter: 5,
  };
}

const unavailableChain: Problem = {
  status: 503,
  code: "chain_unavailable",
  detail:
    "No RPC endpoint has answered since the start (PONDER_RPC_URL; the log says how they fail): what was indexed before is served, and indexing continues once one answers.",
  retryAfter: 5,
};

const backfilling: Problem = {
  status: 503,
  code: "not_indexed_yet",
  detail: "Historical indexing is not complete: GET /status has the last indexed block.",
  retryAfter: 5,
};

const warming: Problem = {
  status: 503,
  code: "warming_up",
  detail:
    "Everything is indexed, and the token list and the stream are being prepared: try again in a second.",
  retryAfter: 1,
};

export const databaseUnavailable: Problem = {
  status: 503,
  code: "database_unavailable",
  detail: "The database does not answer: try again in a few seconds.",
  retryAfter: 5,
};

export const graphqlPath = "/graphql";

/** Answers that are cached and name the block that they reflect, which may be older than the last indexed one. */
const namesItsBlock = new Set(["/api/leaderboard", "/api/stats/days"]);

/** Whether a path serves chain state as of a request: its answers then have X-Index-Block, and it accepts `minBlock`. */
export const servesChainState = (path: string) =>
  (readsIndex(path) && !namesItsBlock.has(path)) || path === "/api/tokenlist.json" || path === graphqlPath;
