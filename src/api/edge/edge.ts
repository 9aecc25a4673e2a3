import { type IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from "node:http";
import { afterAccepting, noteAccepted } from "../concurrency/accepting.ts";
import type { Problem } from "../http/problem.ts";
import { answerClientErrors } from "./client-errors.ts";
import { createConnections } from "./connections.ts";
import { type EdgeLimits, edgeLimits } from "./limits.ts";
import { createLingering } from "./lingering.ts";
import { type OwnAnswer, withOwnAnswers } from "./own-answers.ts";
import { createPacedRequests } from "./paced-bodies.ts";
import { requestPath } from "./request-path.ts";
import { sendProblem } from "./send-problem.ts";
import { createSharedAnswers } from "./shared-answers.ts";
import { createSlowBodies } from "./slow-bodies.ts";
import { createUnreadAnswers } from "./unread-answers.ts";

/** Returns the problem to refuse the request with; undefined lets it through. */
type Gate = (request: IncomingMessage) => Problem | undefined;

export type EdgeOptions = {
  /** Undefined: no limits by address, as behind a proxy, where every connection is the proxy's. */
  connectionsPerAddress: number | undefined;
  /** Paths that nobody gets here. */
  hidden: ReadonlySet<string>;
  /** Paths whose answer is the same for everyone, and asked for once for all who ask at the same time. */
  shared: ReadonlySet<string>;
  /** Those of the shared paths that are answered here and not by the routes. */
  own?: ReadonlyMap<string, OwnAnswer>;
  /** Paths whose requests don't wait while others connect. */
  prompt?: ReadonlySet<string>;
  /** What refuses requests of a path before the routes are asked and the body is read. */
  gates?: ReadonlyMap<string, Gate>;
  limits?: Partial<EdgeLimits>;
};

/** What stands between the network and the routes of an HTTP server: limits on what slow or greedy clients can hold. */
export function createEdge({
  connectionsPerAddress,
  hidden,
  shared,
  own = new Map(),
  prompt = new Set(),
  gates = new Map(),
  ...options
}: EdgeOptions) {
  const given = { ...edgeLimits, ...options.limits };
  const limits = connectionsPerAddress === undefined ? withoutAddresses(given) : given;
  const connections = createConnections(connectionsPerAddress);
  const bodies = createSlowBodies(limits);
  const unread = createUnreadAnswers(limits, connections);

  const lingering = createLingering(limits, connections);

  class EdgeResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...args: unknown[]): this {
      lingering.prepare(this);
      return super.writeHead(...(args as [number]));
    }

    override write(...args: unknown[]): boolean {
      const wasTaken = super.write(...(args as [unknown]));
      unread.noteWritten(this);
      return wasTaken;
    }

    override end(...args: unknown[]): this {
      super.end(...(args as []));
      unread.noteWritten(this);
      return this;
    }
  }

  function guard(next: RequestListener): RequestListener {
    const answerShared = createSharedAnswers(withOwnAnswers(own, next));
    return (request, response) => {
      const connection = connections.of(request.socket);
      // Refused, and yet its request came through.
      if (connection === undefined) return void request.socket.destroy();
      const { unanswered } = connection;
      unanswered.add(response);
      response.once("close", () => unanswered.delete(response));
      if (unanswered.size > limits.pipelined) return sendProblem(response, tooManyAtOnce(limits.pipelined));

      const path = requestPath(request.url);
      if (path !== undefined && hidden.has(path)) return sendProblem(response, nothingAt(path));
      const refusal = gates.get(path ?? "")?.(request);
      if (refusal !== undefined) return sendProblem(response, refusal);
      bodies.watch(request, response);
      if (path !== undefined && shared.has(path) && (request.method === "GET" || request.method === "HEAD")) {
        return answerShared(path, request, response);
      }
      const accepting = prompt.has(path ?? "") ? undefined : afterAccepting();
      if (accepting === undefined) return next(request, response);
      accepting.then(() => {
        if (!response.destroyed) next(request, response);
      });
    };
  }

  return {
    /** Creates the server with its edge, by Node's `http.createServer`. */
    createServer<Server extends import("node:http").Server>(
      create: (options: ServerOptions, listener: RequestListener) => Server,
      given: ServerOptions,
      listener: RequestListener,
    ): Server {
      const server = create(
        {
          ...given,
          IncomingMessage: createPacedRequests(),
          ServerResponse: EdgeResponse as typeof ServerResponse,
          headersTimeout: limits.headersMs,
          // Only for a body that the routes don't read; a slow one is refused before.
          requestTimeout: limits.headersMs + 2 * limits.bodyMs,
          connectionsCheckingInterval: limits.sweepMs,
        },
        guard(listener),
      );
      connections.watch(server);
      server.on("connection", noteAccepted);
      answerClientErrors(server, connections);
      const sweeping = setInterval(() => {
        const now = performance.now();
        bodies.sweep(now);
        unread.sweep(now);
      }, limits.sweepMs).unref();
      server.once("close", () => clearInterval(sweeping));
      return server;
    },
    /** Whether the response is one of a server with this edge. */
    has: (response: unknown) => response instanceof EdgeResponse,
  };
}

/** Behind a proxy all clients have its address, so only what all of them may have counts. */
function withoutAddresses(limits: EdgeLimits): EdgeLimits {
  const { unreadBytes, lingering } = limits;
  return { ...limits, unreadBytesPerAddress: unreadBytes, lingeringPerAddress: lingering };
}

function tooManyAtOnce(most: number) {
  return {
    status: 429,
    code: "too_many_requests",
    title: "Too many requests",
    detail: `One connection may wait for ${most} answers at a time: wait for some of them before you send more.`,
    retryAfter: 1,
  } as const;
}

function nothingAt(path: string) {
  return {
    status: 404,
    code: "not_found",
    title: "Not found",
    detail: `There is nothing at ${path} here. GET /api lists the endpoints.`,
  } as const;
}
