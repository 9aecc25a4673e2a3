import { once } from "node:events";
import http, { type RequestListener, Server, type ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { pause } from "../../../config/async.ts";
import { listenBacklog } from "../../../config/listen-backlog.ts";
import { isWaiting } from "../../../config/process-environment.ts";
import { nodeOf } from "../http/client-ip.ts";
import { offerHandover, onRetire, whenPublic } from "./handover.ts";
import { ponderMetrics } from "./internals.ts";

/** What guards the server against clients, before requests reach it. */
export type ServerLimits = {
  /** Creates the server by Node's `http.createServer`. */
  createServer(
    create: typeof http.createServer,
    options: ServerOptions,
    listener: RequestListener,
  ): http.Server;
  /** Whether a server with these limits created the response. */
  isLimitedResponse(response: unknown): boolean;
};

// In development, Ponder reloads the API in the same process when one of its files is edited.
declare global {
  var LAUNCHPAD_HTTP: { httpLimits: ServerLimits; createServer: typeof http.createServer } | undefined;
  var LAUNCHPAD_METRICS: Promise<Server | undefined> | undefined;
}

/**
 * Puts the limits in front of the server that Ponder creates once this module is loaded. Ponder calls `http.createServer` with
 * options and a listener, and has no setting for this. The process exits if that server ends up listening on another port.
 */
export function guardPonderServer(httpLimits: ServerLimits, port: number): void {
  if (globalThis.LAUNCHPAD_HTTP !== undefined) {
    globalThis.LAUNCHPAD_HTTP.httpLimits = httpLimits;
    return;
  }
  const { createServer } = http;
  const state = { httpLimits, createServer };
  globalThis.LAUNCHPAD_HTTP = state;
  http.createServer = ((options: ServerOptions | RequestListener = {}, listener?: RequestListener) => {
    if (typeof options === "function") return createServer(options);
    if (listener === undefined)
      return isWaiting() ? withoutPort(createServer(options)) : createServer(options);
    const server = withBacklog(state.httpLimits.createServer(createServer, options, listener));
    return exitUnlessListeningOn(port, server);
  }) as typeof createServer;
}

/**
 * Ponder looks for a free port with a server without a listener, and fails at the second one that is taken. A process that will be
 * handed a socket needs none.
 */
function withoutPort(server: http.Server): http.Server {
  server.listen = () => {
    process.nextTick(() => server.emit("listening"));
    return server;
  };
  return server;
}

/** Adds the backlog to calls of `listen`, Ponder's and that with a socket of another process, whose last argument is a callback. */
function withBacklog(server: http.Server): http.Server {
  const { listen } = server;
  server.listen = (...args: unknown[]) => Reflect.apply(listen, server, args.toSpliced(-1, 0, listenBacklog));
  return server;
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
 * Fails every request if a new Ponder creates its server in another way: a server without limits must not go
 * unnoticed.
 */
export function assertGuarded(httpLimits: ServerLimits): MiddlewareHandler {
  return async (c, next) => {
    const { outgoing } = nodeOf(c);
    if (!httpLimits.isLimitedResponse(outgoing)) {
      throw new Error(
        "Ponder's HTTP server has no limits: adapt src/api/ponder/http-server.ts to this version of Ponder",
      );
    }
    await next();
  };
}

const listenTimeoutMs = 60_000;
const retryMs = 200;

type MetricsServer = { host: string | undefined; port: number };

/**
 * Serves Ponder's metrics at GET /metrics on a separate port. Replaces the server of an earlier call.
 *
 * @param readMore reads more metrics, in the same format
 */
export function serveMetrics(settings: MetricsServer | undefined, readMore: () => Promise<string>): void {
  const previous = globalThis.LAUNCHPAD_METRICS;
  globalThis.LAUNCHPAD_METRICS = (async () => {
    const server = await previous;
    server?.closeAllConnections();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
    if (settings === undefined) return undefined;
    await whenPublic();
    return await listen(settings, readMore);
  })();
  void globalThis.LAUNCHPAD_METRICS.then((server) => {
    // The process that takes over listens on the same port.
    onRetire(() => {
      server?.close();
      server?.closeAllConnections();
    });
  });
}

async function listen(
  { host, port }: MetricsServer,
  readMore: () => Promise<string>,
): Promise<Server | undefined> {
  const server = new Server(async (request, response) => {
    const isMetrics = request.method === "GET" && /^\/metrics(\?|$)/.test(request.url ?? "");
    try {
      const text = isMetrics ? await readMetrics(readMore) : undefined;
      response.writeHead(text === undefined ? 404 : 200, { "content-type": "text/plain; version=0.0.4" });
      response.end(text ?? "The metrics are at GET /metrics.\n");
    } catch (error) {
      console.error(error);
      response.writeHead(500).end("The metrics can't be read; the log has the cause.\n");
    }
  });
  // Metrics must not keep the process alive.
  server.unref();
  // The previous version's process releases the port only when it retires.
  const deadline = performance.now() + (isWaiting() ? listenTimeoutMs : 0);
  for (;;) {
    try {
      server.listen({ host, port });
      await once(server, "listening");
      return server;
    } catch (error) {
      if (performance.now() > deadline) {
        console.error(
          `metrics can't be served on ${host ?? "::"}:${port} (METRICS_HOST, METRICS_PORT): ${error}`,
        );
        return undefined;
      }
      await pause(retryMs);
    }
  }
}

async function readMetrics(readMore: () => Promise<string>): Promise<string | undefined> {
  const [ponder, more] = await Promise.all([ponderMetrics()?.getMetrics(), readMore()]);
  return ponder === undefined ? undefined : `${ponder.trimEnd()}\n${more}`;
}
