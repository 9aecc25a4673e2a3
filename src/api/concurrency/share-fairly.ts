import type { ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { busy } from "../http/busy.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { ClientGoneError } from "../http/hang-up.ts";
import { createFairSemaphore } from "./fair-semaphore.ts";

export type TurnOptions = {
  /** Pieces of work at a time. */
  running: number;
  /** Pieces of work that wait. */
  waiting: number;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** Milliseconds. Clients give up on a page after this long, so a request that still waits is refused. */
const patience = 10_000;

const tooMany = busy("requests of this kind");

/** Runs a piece of a request's work when it is its client's turn. */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits concurrent work, and serves waiting clients round-robin, so that one client's burst delays the others by a few pieces
 * of work at most. What waits longer than 10 s, or finds the queue full, throws a problem (503 with Retry-After). A request
 * whose client hangs up leaves the queue and throws ClientGoneError.
 *
 * @returns the turns of a request
 */
export function createTurns({ trustedHops, ...limits }: TurnOptions): (c: Context) => Turn {
  const take = createFairSemaphore({ ...limits, patience, refuse: () => tooMany });
  return (c) => {
    const client = clientKey(clientIp(c, trustedHops));
    const hangUp = hangUpOf(c);
    return (work) => take(client, work, hangUp);
  };
}

const turns = new WeakMap<Context, Turn>();

/** Has whole requests take turns, by {@link createTurns}. */
export function shareFairly(options: TurnOptions): MiddlewareHandler {
  const turnOf = createTurns(options);
  return async (c, next) => {
    const take = turnOf(c);
    turns.set(c, take);
    await take(next);
  };
}

/** Returns the semaphore of a request that streams its response, to be acquired for each chunk. */
export function turnsOf(c: Context): Turn {
  return turns.get(c) ?? ((work) => work());
}

/** One for all, since most connections close only once they were answered. */
const gone = new ClientGoneError();

/** A signal that is aborted, by a ClientGoneError, once the connection of the request has closed. */
export function hangUpOf(c: Context): AbortSignal {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  const leaving = new AbortController();
  const abort = () => leaving.abort(gone);
  if (outgoing?.destroyed === true) abort();
  else outgoing?.once("close", abort);
  return leaving.signal;
}
