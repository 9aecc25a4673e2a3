import { once } from "node:events";
import { Server } from "node:http";
import { isWaiting } from "../../../config/upgrade.ts";
import { pause } from "../concurrency/pause.ts";
import { onRetire, whenPublic } from "./handover.ts";
import { ponderMetrics } from "./internals.ts";

const listenTimeoutMs = 60_000;
const retryMs = 200;

type MetricsServer = { host: string; port: number };

// In development, Ponder reloads the API in the same process when one of its files is edited.
const running = globalThis as {
  LAUNCHPAD_METRICS?: Promise<Server | undefined>;
};

/**
 * Serves Ponder's metrics at GET /metrics on a separate port. Replaces the server of an earlier call.
 *
 * @param readMore reads more metrics, in the same format
 */
export function serveMetrics(settings: MetricsServer | undefined, readMore: () => Promise<string>): void {
  const previous = running.LAUNCHPAD_METRICS;
  running.LAUNCHPAD_METRICS = (async () => {
    const server = await previous;
    server?.closeAllConnections();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
    if (settings === undefined) return undefined;
    await whenPublic();
    return await listen(settings, readMore);
  })();
  void running.LAUNCHPAD_METRICS.then((server) => {
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
        console.error(`metrics can't be served on ${host}:${port} (METRICS_HOST, METRICS_PORT): ${error}`);
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
