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

/** No client waits longer for a page: what it would still be told then is to come back. */
const patience = 10_000;

const tooMany = busy("requests of this kind");

type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;

const turns = new WeakMap<Context, Turn>();

/**
 * Lets so many requests through at a time, the clients in turn, so that however many one of them sends, the others wait for a
 * few of them at most. What waits longer than 10 s, or finds no room to wait, gets 503 with Retry-After; whose client hangs up
 * leaves the queue.
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

/** The turns of a request whose answer goes on after its handler has returned, to be taken for each part. */
export function turnsOf(c: Context): Turn {
  return turns.get(c) ?? ((work) => work());
}

/** Aborted when the connection of a request is gone, which is when there is nobody to answer. */
function hangUpOf(c: Context): AbortSignal {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  const leaving = new AbortController();
  if (outgoing?.destroyed === true) leaving.abort();
  else outgoing?.once("close", () => leaving.abort());
  return leaving.signal;
}
