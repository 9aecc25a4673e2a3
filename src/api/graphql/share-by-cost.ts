import type { MiddlewareHandler } from "hono";
import { shareFairly } from "../concurrency/share-fairly.ts";
import type { CheckedQuery } from "./check-query.ts";
import { graphqlLimits } from "./limits.ts";

/**
 * Makes clients take turns with their queries. Heavy queries run one at a time, since their answers are assembled on the event
 * loop: several at once would keep everyone else waiting.
 */
export function shareByCost(trustedHops: number): MiddlewareHandler<CheckedQuery> {
  const { concurrency, waiting: maxWaiting, heavyCost } = graphqlLimits;
  const light = shareFairly({ concurrency: concurrency, maxWaiting, trustedHops });
  const heavy = shareFairly({ concurrency: 1, maxWaiting, trustedHops });
  return (c, next) => (c.get("queryCost").total > heavyCost ? heavy : light)(c, next);
}
