import { type IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getPath } from "hono/utils/url";
import { inject, type Response } from "light-my-request";
import { createTurns, noteAccepted } from "../concurrency/event-loop.ts";
import { requestKey } from "../http/client-ip.ts";
import { commonHeaders } from "../http/common-headers.ts";
import type { Problem } from "../http/problem.ts";
import type { Refusal } from "../http/rate-limit.ts";
import { readMethods } from "../http/router.ts";
import { type Connections, createConnections } from "./connections.ts";
import { defaultLimits, type HttpLimits, type Override, withOverrides } from "./limits.ts";
import {
  answerClientErrors,
  createBodyDrain,
  createPacedRequests,
  createSlowBodies,
} from "./request-bodies.ts";
import { sendProblem } from "./send-problem.ts";

/** Returns the problem to refuse the request with, or undefined to let it through. */
type Gate = (request: IncomingMessage) => Problem | undefined;
/** Returns the refusal of a request of any path, or undefined to let it through. */
type Refuse = (request: IncomingMessage, path: string) => Refusal | undefined;

export type HttpLimitsOptions = {
  /** Undefined for no limits by address, as behind a proxy, where every connection is the proxy's. */
  connectionsPerAddress: number | undefined;
  /** Paths that respond with 404. */
  hidden: ReadonlySet<string>;
  /** Paths whose answer is the same for everyone: concurrent requests share one. */
  shared: ReadonlySet<string>;
  /** Shared paths that are answered by these functions instead of the routes. */
  overrides?: ReadonlyMap<string, Override>;
  /** The proxies in front of the service that tell a client's address. */
  trustedHops?: number;
  /** Paths whose requests don't wait for their turn. */
  prompt?: ReadonlySet<string>;
  /** Paths whose requests let all others go first for a while, such as those of streams, which stay open. */
  patient?: ReadonlySet<string>;
  /** Checks by path that can refuse a request before it reaches the routes and its body is read. */
  gates?: ReadonlyMap<string, Gate>;
  /** Refuses clients before anything is done for them. */
  refuse?: Refuse | undefined;
  /** Called with each request before anything else. */
  onRequest?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  limits?: Partial<HttpLimits>;
};

/** Stands between the network and the routes of an HTTP server, and limits the resources that slow or greedy clients can hold. */
export function createHttpLimits({
  connectionsPerAddress,
  hidden,
  shared,
  overrides = new Map(),
  trustedHops = 0,
  prompt = new Set(),
  patient = new Set(),
  gates = new Map(),
  refuse,
  onRequest,
  ...options
}: HttpLimitsOptions) {
  const allLimits = { ...defaultLimits, ...options.limits };
  const limits = connectionsPerAddress === undefined ? withoutAddresses(allLimits) : allLimits;
  const connections = createConnections(connectionsPerAddress, limits);
  const bodies = createSlowBodies(limits);
  const unread = createUnreadAnswers(limits, connections);
  const drain = createBodyDrain(limits, connections);
  const takeTurn = createTurns();

  class LimitedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...args: unknown[]): this {
      drain.prepare(this);
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

  /** Whoever floods the service with bodies that it refuses waits for the answers, since the next body is sent after them. */
  function sendRefusal(
    response: ServerResponse,
    refusal: Problem | Refusal,
    options?: { keepsConnection: true },
  ): void {
    const send = () => sendProblem(response, refusal, options);
    if (drain.isFlooded(response.req)) setTimeout(send, limits.undrainedMs);
    else send();
  }

  function guard(next: RequestListener): RequestListener {
    const answerShared = createSharedAnswers(withOverrides(overrides, next));
    return (request, response) => {
      const connection = connections.of(request.socket);
      onRequest?.(request, response);
      // The connection was refused, but its request had already arrived.
      if (connection === undefined) {
        ignoreRequests(request.socket);
        return void request.socket.destroy();
      }
      const pending = connection.unanswered.size;
      connections.addUnanswered(request.socket, connection, response);
      if (pending >= limits.pipelined) {
        ignoreRequests(request.socket);
        return sendProblem(response, tooManyPipelined(limits.pipelined));
      }
      if (request.headers.host === undefined && request.httpVersion === "1.1") {
        return sendProblem(response, hostMissing);
      }

      const path = requestPath(request.url);
      if (path !== undefined && hidden.has(path)) return sendProblem(response, notFound(path));
      const refusal = gates.get(path ?? "")?.(request);
      if (refusal !== undefined) return sendRefusal(response, refusal);
      const tooMany = path === undefined ? undefined : refuse?.(request, path);
      // An unread body takes its connection with it all the same.
      if (tooMany !== undefined) return sendRefusal(response, tooMany, { keepsConnection: true });
      bodies.watch(request, response);
      if (path !== undefined && shared.has(path) && isRead(request)) {
        return answerShared(path, request, response);
      }
      if (prompt.has(path ?? "")) return next(request, response);
      const begin = () => {
        if (!response.destroyed) next(request, response);
      };
      takeTurn(requestKey(request, trustedHops), begin, { isPatient: patient.has(path ?? "") });
    };
  }

  return {
    /** Creates a server with these limits. `create` is Node's `http.createServer`. */
    createServer<Server extends import("node:http").Server>(
      create: (options: ServerOptions, listener: RequestListener) => Server,
      serverOptions: ServerOptions,
      listener: RequestListener,
    ): Server {
      const server = create(
        {
          ...serverOptions,
          IncomingMessage: createPacedRequests(),
          ServerResponse: LimitedResponse as typeof ServerResponse,
          keepAliveTimeout: limits.idleMs,
          // Node counts from the first byte of a request, however long the connection has been idle.
          headersTimeout: limits.headersMs,
          // Only matters for a body that the routes don't read: others are refused earlier if they are slow.
          requestTimeout: limits.headersMs + 2 * limits.bodyMs,
          connectionsCheckingInterval: limits.sweepMs,
          // Otherwise Node itself answers, without any limit, and the same for what it doesn't expect.
          requireHostHeader: false,
        },
        guard(listener),
      );
      connections.watch(server);
      server.on("connection", noteAccepted);
      server.on("checkExpectation", (request, response) => server.emit("request", request, response));
      answerClientErrors(server, connections);
      const sweeping = setInterval(() => {
        const now = performance.now();
        bodies.sweep(now);
        unread.sweep(now);
      }, limits.sweepMs).unref();
      server.once("close", () => clearInterval(sweeping));
      return server;
    },
    /** Whether the response comes from a server with these limits. */
    isLimitedResponse: (response: unknown) => response instanceof LimitedResponse,
  };
}

type ParserInternals = { parser?: { onIncoming?: unknown } | null };

/** Keeps Node from handling further requests of a connection that is about to be closed, of which one piece of data may have two thousand. */
function ignoreRequests(socket: Socket & ParserInternals): void {
  if (socket.parser) socket.parser.onIncoming = () => 0;
}

const isRead = ({ method = "" }: IncomingMessage) => readMethods.includes(method);

/** Behind a proxy all clients share its address, so only the limits for all clients apply. */
function withoutAddresses(limits: HttpLimits): HttpLimits {
  const { unreadBytes, draining } = limits;
  return { ...limits, unreadBytesPerAddress: unreadBytes, drainingPerAddress: draining };
}

function tooManyPipelined(max: number) {
  return {
    status: 429,
    code: "too_many_requests",
    detail: `One connection may have ${max} requests pending: wait for some of the answers before you send more.`,
    retryAfter: 1,
  } as const;
}

const hostMissing = {
  status: 400,
  code: "malformed_request",
  detail: "An HTTP/1.1 request must have a Host header: add it and send it again.",
} as const;

function notFound(path: string) {
  return {
    status: 404,
    code: "not_found",
    detail: `There is nothing at ${path} here. GET /api lists the endpoints.`,
  } as const;
}

/** Matches a path that needs no normalisation, with or without a query. */
const plainPath = /^(\/[\w-]+(?:\/[\w-]+)*)(?:\?|$)/;

/** Returns the path by which Hono routes a request target, such as /metrics for /x/../%6Detrics; undefined if it is invalid. */
function requestPath(target: string | undefined): string | undefined {
  const [, path] = plainPath.exec(target ?? "") ?? [];
  if (path !== undefined) return path;
  const text = target?.startsWith("http") ? target : `http://host${target}`;
  return URL.canParse(text) ? getPath({ url: new URL(text).href } as Request) : undefined;
}

type Shared = { answer: Promise<Response>; until: number };

/** How long an answer is reused. */
const freshMs = 250;
/** How long further requests join one that is pending, before they cause a new one. */
const maxWaitMs = 5_000;

/** Answers all GET and HEAD requests of a path within a moment by calling the listener once. */
function createSharedAnswers(listener: RequestListener) {
  const shared = new Map<string, Shared>();

  function getAnswer(path: string): Promise<Response> {
    const pending = shared.get(path);
    if (pending !== undefined && performance.now() < pending.until) return pending.answer;
    const answer = inject(listener as Parameters<typeof inject>[0], { method: "GET", url: path });
    const entry = { answer, until: performance.now() + maxWaitMs };
    shared.set(path, entry);
    const settle = () => {
      entry.until = performance.now() + freshMs;
    };
    answer.then(settle, settle);
    return answer;
  }

  return function answerShared(path: string, request: IncomingMessage, response: ServerResponse): void {
    getAnswer(path).then(
      ({ statusCode, headers, rawPayload }) => {
        const {
          connection: _,
          "keep-alive": __,
          date: ___,
          "transfer-encoding": ____,
          ...otherHeaders
        } = headers;
        const ownHeaders = { ...otherHeaders, "content-length": rawPayload.length };
        response.writeHead(statusCode, { ...commonHeaders, ...ownHeaders });
        response.end(request.method === "HEAD" ? undefined : rawPayload);
      },
      () => response.destroy(),
    );
  };
}

type Unread = {
  address: string;
  /** When the client last made progress, and how many bytes it had taken by then. */
  progressAt: number;
  taken: number;
};

/** For larger answers, a trickle does not count as progress. */
const largeBytes = 64 * 1_024;
/** What counts as progress with a large answer. */
const progressBytes = 16 * 1_024;

type UnreadLimits = Pick<HttpLimits, "unreadMs" | "unreadBytes" | "unreadBytesPerAddress">;

/** Disconnects clients that stall and, if too much is buffered in total, those that have stalled longest. */
function createUnreadAnswers(limits: UnreadLimits, connections: Connections) {
  const waiting = new Map<ServerResponse, Unread>();

  function updateProgress(response: ServerResponse, unread: Unread, now: number): void {
    const { socket } = response.req;
    if (response.closed || socket.destroyed || response.writableLength === 0) {
      waiting.delete(response);
      return;
    }
    const taken = bytesTaken(socket);
    const minProgress = response.writableLength > largeBytes ? progressBytes : 1;
    if (taken - unread.taken >= minProgress) Object.assign(unread, { taken, progressAt: now });
  }

  /** Disconnects the clients that have stalled longest until the buffered answers fit the budgets. A single large answer is not abuse. */
  function enforceBudgets(now: number): void {
    const perAddress = new Map<string, { bytes: number; answers: number }>();
    const all = { bytes: 0, answers: 0 };
    for (const [response, unread] of waiting) {
      updateProgress(response, unread, now);
      if (!waiting.has(response)) continue;
      const own = perAddress.get(unread.address) ?? { bytes: 0, answers: 0 };
      perAddress.set(unread.address, own);
      for (const sum of [own, all]) {
        sum.bytes += response.writableLength;
        sum.answers++;
      }
    }
    const isOver = () => all.bytes > limits.unreadBytes && all.answers > 1;
    const addressIsOver = ({ bytes, answers }: typeof all) =>
      bytes > limits.unreadBytesPerAddress && answers > 1;
    if (!isOver() && ![...perAddress.values()].some(addressIsOver)) return;

    for (const [response, { address }] of [...waiting].sort(([, a], [, b]) => a.progressAt - b.progressAt)) {
      const own = perAddress.get(address);
      if (own === undefined || !(isOver() || addressIsOver(own))) continue;
      for (const sum of [own, all]) {
        sum.bytes -= response.writableLength;
        sum.answers--;
      }
      disconnect(response);
    }
  }

  function disconnect(response: ServerResponse): void {
    waiting.delete(response);
    response.req.socket.destroy();
  }

  return {
    /** Must be called after each write. */
    noteWritten(response: ServerResponse): void {
      const { writableLength } = response;
      if (writableLength === 0) return;
      const { socket } = response.req;
      const now = performance.now();
      if (!waiting.has(response)) {
        const address = connections.addressOf(socket);
        waiting.set(response, { address, progressAt: now, taken: bytesTaken(socket) });
      }
      if (writableLength > largeBytes) enforceBudgets(now);
    },
    sweep(now: number): void {
      for (const [response, unread] of waiting) {
        updateProgress(response, unread, now);
        if (waiting.has(response) && now - unread.progressAt > limits.unreadMs) disconnect(response);
      }
    },
  };
}

type SocketInternals = { _bytesDispatched?: number; _handle?: { writeQueueSize?: number } | null };

/**
 * How many of the written bytes the operating system has taken. Node's public counters only change when a write is complete, which
 * for a large answer is at its end.
 */
function bytesTaken(socket: Socket): number {
  const { _bytesDispatched = 0, _handle }: Socket & SocketInternals = socket;
  return _bytesDispatched - (_handle?.writeQueueSize ?? 0);
}
