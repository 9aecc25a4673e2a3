import type { ServerResponse } from "node:http";
import type { Chains } from "../chain/chains.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { collectEvents } from "./collect-events.ts";
import { parseCursor } from "./cursor.ts";
import { eventsRoute } from "./events.routes.ts";
import { toStreamFilter } from "./stream-filter.schema.ts";
import type { StreamService } from "./stream-service.ts";

export type EventsDeps = {
  chains: Chains;
  stream: StreamService;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** However short the requested timeout, a request may take this long to read the events that are there already. */
const maxReadMs = 10_000;

export function createEvents({ chains, stream, trustedHops }: EventsDeps) {
  return createRouter().openapi(eventsRoute, async (c) => {
    const { chainId, cursor, timeout, limit, ...query } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const filter = toStreamFilter(chain.id, query);
    // A HEAD request has no use for waiting.
    if (c.req.method === "HEAD") return c.json({ events: [], nextCursor: "", timedOut: true }, 200);
    const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
    const client = new AbortController();
    const leave = () => client.abort();
    outgoing?.once("close", leave);
    try {
      const body = await stream.open({
        filter,
        after: parseCursor(cursor ?? ""),
        address: clientKey(clientIp(c, trustedHops)),
        // Closing the stream must not destroy this response.
        outgoing: undefined,
      });
      const timeoutMs = 1_000 * timeout;
      const answer = await collectEvents({
        body,
        cursor: cursor || undefined,
        limit,
        timeout: AbortSignal.timeout(timeoutMs),
        abort: AbortSignal.any([client.signal, AbortSignal.timeout(Math.max(maxReadMs, timeoutMs))]),
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
