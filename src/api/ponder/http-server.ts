import http, { type RequestListener, type ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { offerHandover } from "./handover.ts";

/** What is to stand before the server. */
export type ServerEdge = {
  /** Creates the server by Node's `http.createServer`. */
  createServer(
    create: typeof http.createServer,
    options: ServerOptions,
    listener: RequestListener,
  ): http.Server;
  /** Whether the response is one of a server with this edge. */
  isEdgeResponse(response: unknown): boolean;
};

// Ponder runs the API anew when a file of it is edited, in the same process.
const running = globalThis as {
  LAUNCHPAD_HTTP?: { edge: ServerEdge; createServer: typeof http.createServer };
};

/**
 * Puts the edge before the server that Ponder creates once this module is loaded: by calling `http.createServer`, with
 * options and a listener. It has no setting for that. The process ends if that server comes to listen at another port.
 */
export function guardPonderServer(edge: ServerEdge, port: number): void {
  if (running.LAUNCHPAD_HTTP !== undefined) {
    running.LAUNCHPAD_HTTP.edge = edge;
    return;
  }
  const { createServer } = http;
  const state = { edge, createServer };
  running.LAUNCHPAD_HTTP = state;
  http.createServer = ((options: ServerOptions | RequestListener, listener?: RequestListener) =>
    typeof options === "object" && typeof listener === "function"
      ? endUnlessAt(port, state.edge.createServer(createServer, options, listener))
      : createServer(options as RequestListener)) as typeof createServer;
}

/** Where its port is taken, Ponder moves to the next one, at which no client looks for it. */
function endUnlessAt(port: number, server: http.Server): http.Server {
  offerHandover(server);
  return server.once("listening", () => {
    const address = server.address();
    if (typeof address !== "object" || address?.port === port) return;
    console.error(
      `port ${port} (API) was taken by another process just now: stop it, or set PORT to a free one`,
    );
    process.exit(1);
  });
}

/** Fails every request if Ponder has come to create its server in another way: open to everything, it must not go unnoticed. */
export function assertGuarded(edge: ServerEdge): MiddlewareHandler {
  return async (c, next) => {
    const { outgoing } = (c.env ?? {}) as { outgoing?: unknown };
    if (!edge.isEdgeResponse(outgoing)) {
      throw new Error("Ponder's HTTP server has no edge: src/api/ponder/http-server.ts must follow Ponder");
    }
    await next();
  };
}
