import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "../config/error-code.ts";
import { listenBacklog } from "../config/listen-backlog.ts";
import type { Channel, RawHandle } from "./process/channel.ts";

/** Why the API does not answer itself. */
type Reason = {
  code: "chain_unavailable" | "not_indexed_yet" | "service_unavailable";
  title: string;
  detail: string;
};

/** While the API's process loads its code, which takes seconds. */
export const starting: Reason = {
  code: "service_unavailable",
  title: "Service unavailable",
  detail: "The service is starting.",
};

export type PublicPort = ReturnType<typeof createPublicPort>;

/** How long the last requests may take that were answered here. */
const lastAnswersMs = 1_000;
/**
 * How long the port may stay taken. A version that is killed in an upgrade leaves processes behind, which have a copy of the socket and
 * end seconds later (`process/group-reaper.ts`).
 */
const maxTakenMs = 15_000;
const retryMs = 100;

/**
 * The port of the API, on which this process answers as long as no API does: 200 at /health, since a restart would not help, and
 * everywhere else a problem with status 503. So no connection is refused while a process starts.
 */
export function createPublicPort(host: string | undefined, port: number) {
  let server: Server | undefined;
  let reason = starting;
  /** Resolves once the socket that an upgrade has is back. */
  let lent = Promise.resolve();

  function answer(url: string | undefined) {
    if (url === "/health") return { status: 200, headers: {}, body: "" };
    const headers = {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "retry-after": "5",
      // For proxies, which may have another process to ask: deploy/proxy/Caddyfile.
      "x-api-starting": "true",
    };
    return { status: 503, headers, body: JSON.stringify({ type: "about:blank", status: 503, ...reason }) };
  }

  /** Answers with this reason from now on. Throws a SystemError if the port is taken. */
  async function hold(because: Reason): Promise<void> {
    reason = because;
    if (server !== undefined) return;
    const holding = createServer((request, response) => {
      const { status, headers, body } = answer(request.url);
      response.writeHead(status, { ...headers, connection: "close" }).end(body);
    });
    server = holding;
    try {
      await once(holding.listen({ port, host, backlog: listenBacklog }), "listening");
    } catch (error) {
      server = undefined;
      throw error;
    }
  }

  async function holdOnceFree(): Promise<void> {
    const deadline = performance.now() + maxTakenMs;
    for (;;) {
      try {
        return await hold(starting);
      } catch (error) {
        if (codeOf(error) !== "EADDRINUSE" || performance.now() > deadline) throw error;
      }
      await delay(retryMs);
    }
  }

  /**
   * Gives the listening socket to the API at the other end of the channel. Connections that nobody has accepted stay in its queue. If the
   * API is gone, this process keeps the socket for the next one. Throws a SystemError if the port stays taken.
   */
  async function giveTo(channel: Channel): Promise<void> {
    await lent;
    // Nobody does after a restart that was too quick for it, or a switch to another schema.
    if (server === undefined) await holdOnceFree();
    const given = server as Server & { _handle: RawHandle };
    const isGiven = await channel.send({ kind: "listener" }, given._handle).then(
      () => true,
      () => false,
    );
    if (!isGiven) return;
    server = undefined;
    given.close();
    setTimeout(() => given.closeAllConnections(), lastAnswersMs).unref();
  }

  /** Has an API that wants the port wait until another version that has the socket gives it back. */
  function lend(until: Promise<void>): void {
    lent = until;
  }

  return { hold, giveTo, lend };
}
