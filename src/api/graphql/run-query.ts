import type { MiddlewareHandler } from "hono";
import type { CheckedQuery } from "./check-query.ts";
import { graphqlLimits } from "./limits.ts";
import { runQuery } from "./read/read-rows.ts";

/** Runs a query that was checked, as long as its client waits for it. */
export function limitRun(): MiddlewareHandler<CheckedQuery> {
  return async (c, next) => {
    const client = c.req.raw.signal;
    // It has gone while its query waited for its turn.
    if (client.aborted) return c.body(null);
    const signal = AbortSignal.any([client, AbortSignal.timeout(graphqlLimits.querySeconds * 1_000)]);
    const { rowsByKey, renamedColumns } = c.get("queryCost");
    const bytes = graphqlLimits.answerBytes / (1 + renamedColumns);
    return await runQuery({ signal, repeats: rowsByKey, bytes }, () => next());
  };
}
