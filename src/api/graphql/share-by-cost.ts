import type { MiddlewareHandler } from "hono";
import { shareFairly } from "../concurrency/share-fairly.ts";
import type { CheckedQuery } from "./check-query.ts";
import { graphqlLimits } from "./limits.ts";

/**
 * Lets clients take turns with their queries. Those that read much run one at a time, since their answers are put together on
 * the event loop: several at once would keep everyone else waiting for all of them.
 */
export function shareByCost(trustedHops: number): MiddlewareHandler<CheckedQuery> {
  const { concurrency, waiting, heavyCost } = graphqlLimits;
  const light = shareFairly({ running: concurrency, waiting, trustedHops });
  const heavy = shareFairly({ running: 1, waiting, trustedHops });
  return (c, next) => (c.get("queryCost").total > heavyCost ? heavy : light)(c, next);
}
