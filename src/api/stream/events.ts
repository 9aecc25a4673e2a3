import type { ServerResponse } from "node:http";
import type { Chains } from "../chain/chains.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { collectEvents } from "./collect-events.ts";
import { parseCursor } from "./cursor.ts";
import { eventsRoute } from "./events.routes.ts";
import type { StreamService } from "./stream-service.ts";

export type EventsDeps = {
  chains: Chains;
  stream: StreamService;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** What is there already comes with the first look, however short the wait is. */
const shortestWaitMs = 1_000;

export function createEvents({ chains, stream, trustedHops }: EventsDeps) {
  return createRouter().openapi(eventsRoute, async (c) => {
    const { mint = [], creator = [], kind = [], chainId, cursor, timeout, limit } = c.req.valid("query");
    const chain = chains.choose(chainId);
    // Nobody waits for events without reading them.
    if (c.req.method === "HEAD") return c.json({ events: [], nextCursor: "", timedOut: true }, 200);
    const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
    const client = new AbortController();
    const leave = () => client.abort();
    outgoing?.once("close", leave);
    try {
      const body = await stream.open({
        filter: { chainId: chain.id, mints: mint, creators: creator, kinds: kind },
        after: parseCursor(cursor ?? ""),
        address: clientKey(clientIp(c, trustedHops)),
        // The response is not the stream's: it must not be cut with it.
        outgoing: undefined,
      });
      const waitMs = Math.max(shortestWaitMs, 1_000 * timeout);
      const answer = await collectEvents({
        body,
        cursor: cursor || undefined,
        limit,
        timeout: AbortSignal.any([client.signal, AbortSignal.timeout(waitMs)]),
      });
      if (answer === undefined) throw notBegun();
      return c.json(answer, 200, { "cache-control": "no-store" });
    } finally {
      outgoing?.off("close", leave);
    }
  });
}

function notBegun(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "not_indexed_yet",
    title: "Not indexed yet",
    detail: "The stream has not begun, as right after the first start: try again in some seconds.",
    retryAfter: 5,
  });
}
