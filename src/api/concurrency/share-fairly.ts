import type { ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { busy } from "../http/busy.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { clientGone } from "../http/hang-up.ts";
import { problemResponse } from "../http/problem.ts";
import { createFairSemaphore } from "./fair-semaphore.ts";

export type ShareFairlyOptions = {
  /** Requests at a time. */
  running: number;
  /** Requests that wait. */
  waiting: number;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** Milliseconds. Clients give up on a page after this long, so a request that still waits is refused. */
const patience = 10_000;

const tooMany = busy("requests of this kind");

type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;

const turns = new WeakMap<Context, Turn>();

/**
 * Limits concurrent requests, and serves waiting clients round-robin, so that one client's burst delays the others by a few
 * requests at most. A request that waits longer than 10 s, or finds the queue full, gets 503 with Retry-After. One whose
 * client hangs up leaves the queue.
 */
export function shareFairly({ trustedHops, ...limits }: ShareFairlyOptions): MiddlewareHandler {
  const take = createFairSemaphore({ ...limits, patience, refuse: () => tooMany });

  return async (c, next) => {
    const client = clientKey(clientIp(c, trustedHops));
    const gone = hangUpOf(c);
    turns.set(c, (work) => take(client, work, gone));
    try {
      return await take(client, next, gone);
    } catch (error) {
      if (error === tooMany) return problemResponse(c, tooMany.problem);
      if (gone.aborted) return clientGone();
      throw error;
    }
  };
}

/** Returns the semaphore of a request that streams its response, to be acquired for each chunk. */
export function turnsOf(c: Context): Turn {
  return turns.get(c) ?? ((work) => work());
}

/** A signal that is aborted once the connection of the request has closed. */
export function hangUpOf(c: Context): AbortSignal {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  const leaving = new AbortController();
  if (outgoing?.destroyed === true) leaving.abort();
  else outgoing?.once("close", () => leaving.abort());
  return leaving.signal;
}
