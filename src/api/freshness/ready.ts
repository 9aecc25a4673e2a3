import type { Problem } from "../http/problem.ts";
import type { IndexReport } from "./index-report.schema.ts";
import type { IndexWatch } from "./index-watch.ts";

export type ReadyDeps = {
  watch: Pick<IndexWatch, "refresh" | "report">;
  /** Reads what requests would have to wait for. */
  warmUp: () => Promise<void>;
  /** Seconds that the index may be behind a chain's head; 0: any number. */
  maxLagSeconds: number;
};

export type Readiness = ({ ready: true } & IndexReport) | (Problem & Partial<IndexReport>);

/**
 * Answers GET /ready in place of Ponder: ready once the backfill is done, the first requests needn't wait, and the index is
 * close to every chain's head.
 */
export function createReady({ watch, warmUp, maxLagSeconds }: ReadyDeps): () => Promise<Readiness> {
  let state: "cold" | "warming" | "warm" = "cold";
  const begin = () => {
    state = "warming";
    warmUp().then(
      () => {
        state = "warm";
      },
      // The next question tries again.
      () => {
        state = "cold";
      },
    );
  };

  return async () => {
    try {
      const { isReady } = await watch.refresh();
      const report = watch.report();
      // What was read before the end of the backfill doesn't count.
      if (isReady && state === "cold") begin();
      const problem = isReady ? (state === "warm" ? behind(report, maxLagSeconds) : warming) : backfilling;
      return problem === undefined ? { ready: true, ...report } : { ...problem, ...report };
    } catch {
      return databaseAway;
    }
  };
}

function behind({ chains, writer }: IndexReport, maxLagSeconds: number): Problem | undefined {
  const late = chains.filter(({ lagSeconds }) => (lagSeconds ?? 0) > maxLagSeconds);
  if (maxLagSeconds === 0 || late.length === 0) return undefined;
  const each = late.map(
    ({ chainId, lagSeconds, lagBlocks, endpointsAnswer }) =>
      `chain ${chainId} is ${lagSeconds} seconds (${lagBlocks} known blocks) behind its head${endpointsAnswer ? "" : ", and its RPC endpoints don't answer"}`,
  );
  const why = writer === "gone" ? " No process indexes into this schema: start npm start on it." : "";
  return {
    status: 503,
    code: "index_behind",
    title: "Index behind",
    detail: `More than ${maxLagSeconds} seconds (READY_MAX_LAG_SECONDS): ${each.join("; ")}.${why}`,
    retryAfter: 5,
  };
}

const backfilling: Problem = {
  status: 503,
  code: "not_indexed_yet",
  title: "Not indexed yet",
  detail: "Historical indexing is not complete: GET /status has the last indexed block.",
  retryAfter: 5,
};

const warming: Problem = {
  status: 503,
  code: "warming_up",
  title: "Warming up",
  detail: "All is indexed, and the token list is being read: try again in a second.",
  retryAfter: 1,
};

export const databaseAway: Problem = {
  status: 503,
  code: "database_unavailable",
  title: "Database unavailable",
  detail: "The database does not answer: try again in a few seconds.",
  retryAfter: 5,
};
