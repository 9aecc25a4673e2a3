import type { ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { preferredType } from "../http/accepted-type.ts";
import { clientIp, clientKey, nodeOf } from "../http/client-ip.ts";
import { busy, ClientGoneError } from "../http/problem.ts";
import { createFairSemaphore, type Semaphore } from "./semaphore.ts";

/** Database connections for each kind of read, so that slow reads don't hold up quick ones. The token list's order has a pool of its own. */
const connections = {
  quick: 4,
  slow: 2,
  feeds: 2,
  searches: 3,
  listEntries: 2,
  compactRows: 1,
};
export const readConnections = Object.values(connections).reduce((sum, count) => sum + count);

const maxWaiting = 500;

/** Images that are looked up at a time, on connections that are idle: that takes a millisecond. */
const imageLookups = 3;

/** Requests that ask a chain's endpoints at a time. A slow endpoint takes a second or more. */
const chainRequests = 10;

/** Paths that read nothing, share one read among all clients, or have limits of their own. */
const unlimited =
  /^\/api(\/(health|docs|openapi\.json|tokenlist\.json|stream|events|tokens\/vanity-salt)(\/.*)?)?\/?$/;
/** Paths that read everything about an account, or many rows of a token. People wait for them. */
const slow = /^\/api\/(account\/[^/]+(\/days)?|leaderboard|token\/[^/]+\/holders\/history)$/;
/** The path of candles, of which more than an answer has by default are slow. */
const candles = /^\/api\/token\/[^/]+\/candles$/;
export const defaultCandles = 500;
/** The path of a token's holders, which reads all of them for past balances and for CSV. */
const holders = /^\/api\/token\/[^/]+\/holders$/;
/** Paths that read up to a thousand tokens or 10,000 blocks at a time. Only programs wait for them. */
const feeds = /^\/api\/(((coingecko\/)?(tickers|historical_trades))|dexscreener\/events)$/;
/** Most of what a page of the list reads is shared by all clients, so only the rest of it takes turns. */
export const listPath = "/api/tokens";
/** The search for symbols of charts, which waits for the list, and takes its turns among searches in it. */
const symbolSearchPath = "/api/udf/search";

/** Whether a path of the API reads the database for each request. */
export const readsIndex = (path: string) => path.startsWith("/api/") && !unlimited.test(path);

const chainTurns = new WeakMap<Context, (c: Context) => Semaphore>();

/**
 * Asks a chain's endpoints for a request that has read all it needs from the database. It leaves its lane, so that a slow endpoint
 * delays nobody who only reads, and waits for a turn among those who ask.
 */
export async function askChain<Answer>(c: Context, ask: () => Promise<Answer>): Promise<Answer> {
  leaveTurn(c);
  const limit = chainTurns.get(c)?.(c);
  return await (limit === undefined ? ask() : limit(ask));
}

/** Limits concurrent database reads, fairly among clients, with separate lanes for quick paths, for slow ones and for feeds. */
export function createReadLanes({ trustedHops }: { trustedHops: number }): MiddlewareHandler {
  const lane = (concurrency: number) => limitPerClient({ concurrency, maxWaiting, trustedHops });
  const lanes = {
    quick: lane(connections.quick),
    slow: lane(connections.slow),
    feeds: lane(connections.feeds),
  };
  const chainTurn = createRequestSemaphore({ concurrency: chainRequests, maxWaiting, trustedHops });

  return async (c, next) => {
    const { path } = c.req;
    if (!readsIndex(path) || path === listPath || path === symbolSearchPath) return await next();
    chainTurns.set(c, chainTurn);
    const isSlow =
      slow.test(path) ||
      (holders.test(path) && readsAllHolders(c)) ||
      (candles.test(path) && Number(c.req.query("limit") ?? 0) > defaultCandles);
    const kind = isSlow ? "slow" : feeds.test(path) ? "feeds" : "quick";
    return await lanes[kind](c, next);
  };
}

/** The media types of holders. */
const holderTypes = ["application/json", "text/csv"] as const;

const readsAllHolders = (c: Context) =>
  c.req.query("at") !== undefined || preferredType(c, holderTypes, "application/json") === "text/csv";

/** Semaphores for the token list, and how many batches of entries it reads at a time. */
export type ListSemaphores = ReturnType<typeof createListSemaphores>;

export function createListSemaphores({ trustedHops }: { trustedHops: number }) {
  return {
    // A search keeps a processor busy for up to a second: one client's leave the others to everyone else.
    searchSemaphore: createRequestSemaphore({
      concurrency: connections.searches,
      maxPerClient: 1,
      maxWaiting,
      trustedHops,
    }),
    // Pages share batches, so many can run at a time. But a client's page waits for the batches of all that began before it.
    entrySemaphore: createRequestSemaphore({ concurrency: 40, maxPerClient: 4, maxWaiting, trustedHops }),
    entryBatches: connections.listEntries,
    compactBatches: connections.compactRows,
  };
}

/** A semaphore for the query that each image needs before it is served: a page asks for a hundred of them at once. */
export const createImageSemaphore = ({ trustedHops }: { trustedHops: number }) =>
  createRequestSemaphore({ concurrency: imageLookups, maxWaiting, trustedHops });

type RequestSemaphoreOptions = {
  /** Tasks that run at a time. */
  concurrency: number;
  /** Those of one client. Default: one fewer than all. */
  maxPerClient?: number;
  /** The most tasks that wait. */
  maxWaiting: number;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** Milliseconds. Clients give up on a page after this long, so a request that still waits is refused. */
const maxWaitMs = 10_000;

const tooMany = busy("requests of this kind");

/**
 * Limits concurrent work and serves the waiting client first that used the least time lately, so that bursts of one client, or of many
 * with slow requests, delay the others by a few tasks at most. A task that waits longer than 10 s, or finds the queue full, throws a
 * problem (503 with Retry-After). If the client of a request hangs up, its waiting tasks leave the queue and throw ClientGoneError.
 *
 * @returns a function that gives a request its semaphore
 */
export function createRequestSemaphore({
  trustedHops,
  ...limits
}: RequestSemaphoreOptions): (c: Context) => Semaphore {
  const run = createFairSemaphore({ ...limits, maxWaitMs: maxWaitMs, refuse: () => tooMany });
  return (c) => {
    const client = clientKey(clientIp(c, trustedHops));
    const hangUp = hangUpSignal(c);
    return (work) => run(client, () => work(hangUp), hangUp);
  };
}

const semaphores = new WeakMap<Context, Semaphore>();
const leaves = new WeakMap<Context, () => void>();

/** Limits requests with {@link createRequestSemaphore}, until they are answered or call {@link leaveTurn}. */
export function limitPerClient(options: RequestSemaphoreOptions): MiddlewareHandler {
  const semaphoreFor = createRequestSemaphore(options);
  return async (c, next) => {
    const limit = semaphoreFor(c);
    semaphores.set(c, limit);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    leaves.set(c, leave);
    let answered: Promise<void> | undefined;
    await limit(async () => {
      answered = next();
      await Promise.race([answered, left]);
    });
    await answered;
  };
}

/** Gives a request's turn to the next one, for a request that has read all it needs but is not answered yet. */
function leaveTurn(c: Context): void {
  leaves.get(c)?.();
}

/** Returns the semaphore of a request that streams its response, to be acquired for each chunk. */
export function requestSemaphore(c: Context): Semaphore {
  return semaphores.get(c) ?? ((work) => work());
}

/** Shared by all requests: most connections close after their response, when nobody looks at the error. */
const clientGone = new ClientGoneError();

const hangUps = new WeakMap<ServerResponse, AbortSignal>();

/**
 * Returns a signal that is aborted, with a ClientGoneError, once the connection of the request has closed. All requests that a call of
 * MCP makes have one, since they are answered by one response: Node warns of its eleventh listener.
 */
export function hangUpSignal(c: Context): AbortSignal {
  const { outgoing } = nodeOf(c);
  const shared = outgoing && hangUps.get(outgoing);
  if (shared !== undefined) return shared;
  const controller = new AbortController();
  const abort = () => controller.abort(clientGone);
  if (outgoing?.destroyed === true) abort();
  else outgoing?.once("close", abort);
  if (outgoing !== undefined) hangUps.set(outgoing, controller.signal);
  return controller.signal;
}
