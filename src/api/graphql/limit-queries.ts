import type { MiddlewareHandler } from "hono";
import { limitPerClient } from "../concurrency/read-lanes.ts";
import type { CheckedQuery } from "./check-query.ts";
import { graphqlLimits } from "./limits.ts";
import { runQuery } from "./read/read-rows.ts";

/** Runs a checked query within its limits, and only as long as its client is connected. */
export function limitRun(): MiddlewareHandler<CheckedQuery> {
  return async (c, next) => {
    const client = c.req.raw.signal;
    // The client disconnected while its query was queued.
    if (client.aborted) return c.body(null);
    const signal = AbortSignal.any([client, AbortSignal.timeout(graphqlLimits.querySeconds * 1_000)]);
    const { keyLookups, aliasedColumns } = c.get("queryCost");
    const maxBytes = graphqlLimits.answerBytes / (1 + aliasedColumns);
    return await runQuery({ signal, maxRepeats: keyLookups, maxBytes }, () => next());
  };
}

/**
 * Makes clients take turns with their queries. Heavy queries run one at a time, since their answers are assembled on the event
 * loop: several at once would keep everyone else waiting.
 */
export function limitByCost(trustedHops: number): MiddlewareHandler<CheckedQuery> {
  const { concurrency, waiting: maxWaiting, heavyCost } = graphqlLimits;
  const light = limitPerClient({ concurrency: concurrency, maxWaiting, trustedHops });
  const heavy = limitPerClient({ concurrency: 1, maxWaiting, trustedHops });
  return (c, next) => (c.get("queryCost").total > heavyCost ? heavy : light)(c, next);
}
