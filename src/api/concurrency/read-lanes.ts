import type { MiddlewareHandler } from "hono";
import { createTurns, shareFairly } from "./share-fairly.ts";

/**
 * The connections for reads, so many for each kind, so that what is slow does not keep waiting what is quick. Of the list's
 * four, one reads its order.
 */
const places = { quick: 4, slow: 2, searches: 3, listEntries: 2, compactRows: 1, listOrder: 1 };
export const readConnections = Object.values(places).reduce((sum, count) => sum + count);

const waiting = 500;

/** Read nothing, share what is read with all who ask, or have limits of their own. */
const free =
  /^\/api(\/(health|docs|openapi\.json|tokenlist\.json|stream|events|tokens\/vanity-salt)(\/.*)?)?\/?$/;
/** Up to a thousand tokens or 10,000 blocks at a time, or all that there is about an account. */
const slow =
  /^\/api\/(((coingecko\/)?(tickers|historical_trades))|dexscreener\/events|account\/[^/]+|leaderboard|token\/[^/]+\/candles)$/;
/** Most of what a page of the list reads is shared by all who ask, so that it takes turns only with the rest. */
export const listPath = "/api/tokens";

/** Whether a path of the API answers with what is read for the request. */
export const readsIndex = (path: string) => path.startsWith("/api/") && !free.test(path);

/** Lets clients take turns with what they read from the database. */
export function createReadLanes({ trustedHops }: { trustedHops: number }): MiddlewareHandler {
  const line = (running: number) => shareFairly({ running, waiting, trustedHops });
  const lines = { quick: line(places.quick), slow: line(places.slow) };

  return async (c, next) => {
    const { path } = c.req;
    if (!readsIndex(path) || path === listPath) return await next();
    return await (slow.test(path) ? lines.slow : lines.quick)(c, next);
  };
}

/** The turns of the list, and the number of batches in which it reads entries at a time. */
export function createListLanes({ trustedHops }: { trustedHops: number }) {
  return {
    searchOf: createTurns({ running: places.searches, waiting, trustedHops }),
    // Pages share batches, so that there may be many.
    entriesOf: createTurns({ running: 40, waiting, trustedHops }),
    entryBatches: places.listEntries,
    compactBatches: places.compactRows,
  };
}
