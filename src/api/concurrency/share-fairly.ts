import type { ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { busy } from "../http/busy.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { ClientGoneError } from "../http/hang-up.ts";
import { createFairSemaphore } from "./fair-semaphore.ts";
import type { Semaphore } from "./semaphore.ts";

export type RequestSemaphoreOptions = {
  /** Tasks that run at a time. */
  concurrency: number;
  /** The most tasks that wait. */
  maxWaiting: number;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** Milliseconds. Clients give up on a page after this long, so a request that still waits is refused. */
const maxWaitMs = 10_000;

const tooMany = busy("requests of this kind");

/**
 * Limits concurrent work and serves waiting clients round-robin, so that one client's burst delays the others by a few tasks at
 * most. A task that waits longer than 10 s, or finds the queue full, throws a problem (503 with Retry-After). If the client of a
 * request hangs up, its waiting tasks leave the queue and throw ClientGoneError.
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
    return (work) => run(client, work, hangUp);
  };
}

const semaphores = new WeakMap<Context, Semaphore>();
const leaves = new WeakMap<Context, () => void>();

/** Limits requests with {@link createRequestSemaphore}, until they are answered or call {@link leaveTurn}. */
export function shareFairly(options: RequestSemaphoreOptions): MiddlewareHandler {
  const semaphoreFor = createRequestSemaphore(options);
  return async (c, next) => {
    const inTurn = semaphoreFor(c);
    semaphores.set(c, inTurn);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    leaves.set(c, leave);
    let answered: Promise<void> | undefined;
    await inTurn(async () => {
      answered = next();
      await Promise.race([answered, left]);
    });
    await answered;
  };
}

/** Gives a request's turn to the next one, for a request that has read all it needs but is not answered yet. */
export function leaveTurn(c: Context): void {
  leaves.get(c)?.();
}

/** Returns the semaphore of a request that streams its response, to be acquired for each chunk. */
export function requestSemaphore(c: Context): Semaphore {
  return semaphores.get(c) ?? ((work) => work());
}

/** Shared by all requests: most connections close after their response, when nobody looks at the error. */
const clientGone = new ClientGoneError();

/** Returns a signal that is aborted, with a ClientGoneError, once the connection of the request has closed. */
export function hangUpSignal(c: Context): AbortSignal {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  const controller = new AbortController();
  const abort = () => controller.abort(clientGone);
  if (outgoing?.destroyed === true) abort();
  else outgoing?.once("close", abort);
  return controller.signal;
}
