import type { MiddlewareHandler } from "hono";
import { shareFairly } from "./share-fairly.ts";

/** Of the ten connections for reads, so many for each kind, so that what is slow does not keep waiting what is quick. */
const places = { quick: 5, search: 3, slow: 2 };
const waiting = 500;

/** Read nothing, share what is read with all who ask, or have limits of their own. */
const free = /^\/api(\/(health|docs|openapi\.json|tokenlist\.json|stream|tokens\/vanity-salt)(\/.*)?)?\/?$/;
/** Up to a thousand tokens or 10,000 blocks at a time, or all that there is about an account. */
const slow =
  /^\/api\/(((coingecko\/)?(tickers|historical_trades))|dexscreener\/events|account\/[^/]+|token\/[^/]+\/candles)$/;

/** Whether a path of the API answers with what is read for the request, in a turn. */
export const takesTurn = (path: string) => path.startsWith("/api/") && !free.test(path);

/** Lets clients take turns with what they read from the database. */
export function createReadLanes({ trustedHops }: { trustedHops: number }): MiddlewareHandler {
  const line = (running: number) => shareFairly({ running, waiting, trustedHops });
  const lines = { quick: line(places.quick), search: line(places.search), slow: line(places.slow) };

  return async (c, next) => {
    const { path } = c.req;
    if (!takesTurn(path)) return await next();
    if (slow.test(path)) return await lines.slow(c, next);
    const isSearch =
      path === "/api/tokens" && (c.req.query("q") !== undefined || c.req.query("creator") !== undefined);
    return await (isSearch ? lines.search : lines.quick)(c, next);
  };
}
