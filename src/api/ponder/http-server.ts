import http, { type RequestListener, type ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { offerHandover } from "./handover.ts";

/** What guards the server against clients, before requests reach it. */
export type ServerEdge = {
  /** Creates the server by Node's `http.createServer`. */
  createServer(
    create: typeof http.createServer,
    options: ServerOptions,
    listener: RequestListener,
  ): http.Server;
  /** Whether a server with this edge created the response. */
  isEdgeResponse(response: unknown): boolean;
};

// In development, Ponder reloads the API in the same process when one of its files is edited.
const running = globalThis as {
  LAUNCHPAD_HTTP?: { edge: ServerEdge; createServer: typeof http.createServer };
};

/**
 * Puts the edge in front of the server that Ponder creates once this module is loaded. Ponder calls `http.createServer` with
 * options and a listener, and has no setting for this. The process exits if that server ends up listening on another port.
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
      ? exitUnlessListeningOn(port, state.edge.createServer(createServer, options, listener))
      : createServer(options as RequestListener)) as typeof createServer;
}

/** If its port is taken, Ponder moves on to the next one, where no client would look for it. */
function exitUnlessListeningOn(port: number, server: http.Server): http.Server {
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

/**
 * Fails every request if a new Ponder creates its server in another way: a server without its edge must not go
 * unnoticed.
 */
export function assertGuarded(edge: ServerEdge): MiddlewareHandler {
  return async (c, next) => {
    const { outgoing } = (c.env ?? {}) as { outgoing?: unknown };
    if (!edge.isEdgeResponse(outgoing)) {
      throw new Error(
        "Ponder's HTTP server has no edge: adapt src/api/ponder/http-server.ts to this version of Ponder",
      );
    }
    await next();
  };
}
