import type { Context, MiddlewareHandler } from "hono";
import type { Semaphore } from "./semaphore.ts";
import { createRequestSemaphore, leaveTurn, shareFairly } from "./share-fairly.ts";

/**
 * Database connections for each kind of read, so that slow reads don't hold up quick ones. The token list's order has one of
 * its own.
 */
const connections = {
  quick: 4,
  slow: 2,
  feeds: 2,
  searches: 3,
  listEntries: 2,
  compactRows: 1,
  listOrder: 1,
};
export const readConnections = Object.values(connections).reduce((sum, count) => sum + count);

const maxWaiting = 500;

/** Requests that ask a chain's endpoints at a time. A slow endpoint takes a second or more. */
const chainRequests = 10;

/** Paths that read nothing, share one read among all clients, or have limits of their own. */
const unlimited =
  /^\/api(\/(health|docs|openapi\.json|tokenlist\.json|stream|events|tokens\/vanity-salt)(\/.*)?)?\/?$/;
/** Paths that read everything about an account, or many rows of a token. People wait for them. */
const slow = /^\/api\/(account\/[^/]+|leaderboard|token\/[^/]+\/(candles|holders\/history))$/;
/** The path of a token's holders, which reads all of them for past balances and for CSV. */
const holders = /^\/api\/token\/[^/]+\/holders$/;
/** Paths that read up to a thousand tokens or 10,000 blocks at a time. Only programs wait for them. */
const feeds = /^\/api\/(((coingecko\/)?(tickers|historical_trades))|dexscreener\/events)$/;
/** Most of what a page of the list reads is shared by all clients, so only the rest of it takes turns. */
export const listPath = "/api/tokens";

/** Whether a path of the API reads the database for each request. */
export const readsIndex = (path: string) => path.startsWith("/api/") && !unlimited.test(path);

const chainTurns = new WeakMap<Context, (c: Context) => Semaphore>();

/**
 * Asks a chain's endpoints for a request that has read all it needs from the database. It leaves its lane, so that a slow endpoint
 * delays nobody who only reads, and waits for a turn among those who ask.
 */
export async function askChain<Answer>(c: Context, ask: () => Promise<Answer>): Promise<Answer> {
  leaveTurn(c);
  const inTurn = chainTurns.get(c)?.(c);
  return await (inTurn === undefined ? ask() : inTurn(ask));
}

/** Limits concurrent database reads, fairly among clients, with separate lanes for quick paths, for slow ones and for feeds. */
export function createReadLanes({ trustedHops }: { trustedHops: number }): MiddlewareHandler {
  const lane = (concurrency: number) => shareFairly({ concurrency, maxWaiting, trustedHops });
  const lanes = {
    quick: lane(connections.quick),
    slow: lane(connections.slow),
    feeds: lane(connections.feeds),
  };
  const chainTurn = createRequestSemaphore({ concurrency: chainRequests, maxWaiting, trustedHops });

  return async (c, next) => {
    const { path } = c.req;
    if (!readsIndex(path) || path === listPath) return await next();
    chainTurns.set(c, chainTurn);
    const isSlow = slow.test(path) || (holders.test(path) && readsAllHolders(c));
    const kind = isSlow ? "slow" : feeds.test(path) ? "feeds" : "quick";
    return await lanes[kind](c, next);
  };
}

const readsAllHolders = (c: Context) =>
  c.req.query("at") !== undefined || (c.req.header("accept") ?? "").includes("text/");

/** Semaphores for the token list, and how many batches of entries it reads at a time. */
export function createListSemaphores({ trustedHops }: { trustedHops: number }) {
  return {
    searchSemaphore: createRequestSemaphore({ concurrency: connections.searches, maxWaiting, trustedHops }),
    // Pages share batches, so many can run at a time.
    entrySemaphore: createRequestSemaphore({ concurrency: 40, maxWaiting, trustedHops }),
    entryBatches: connections.listEntries,
    compactBatches: connections.compactRows,
  };
}
