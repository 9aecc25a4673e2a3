import type { ServerResponse } from "node:http";
import type { Chains } from "../chain/chains.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { createRouter } from "../http/router.ts";
import { parseCursor } from "./cursor.ts";
import { streamRoute } from "./stream.routes.ts";
import { toStreamFilter } from "./stream-event.schema.ts";
import type { StreamService } from "./stream-service.ts";

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // Keeps nginx from buffering events.
  "x-accel-buffering": "no",
  // The connection has no use after the stream, and would delay the end of the process.
  connection: "close",
};

export type StreamDeps = {
  chains: Chains;
  stream: StreamService;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

export function createStreamRoute({ chains, stream, trustedHops }: StreamDeps) {
  return createRouter().openapi(streamRoute, async (c) => {
    const { chainId, lastEventId, ...query } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const filter = toStreamFilter(chain.id, query);
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
    const body = await stream.open({
      filter,
      after: parseCursor(c.req.valid("header")["Last-Event-ID"] || lastEventId || ""),
      address: clientKey(clientIp(c, trustedHops)),
      outgoing,
    });
    return c.body(body, 200, headers);
  });
}
