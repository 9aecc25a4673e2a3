import { IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createTickBudget } from "../concurrency/event-loop.ts";
import { addressKey } from "../http/client-ip.ts";
import type { Problem } from "../http/problem.ts";
import type { Connections } from "./connections.ts";
import type { HttpLimits } from "./limits.ts";
import { sendProblem, sendRawProblem } from "./send-problem.ts";

type Receiving = {
  response: ServerResponse;
  startedAt: number;
  /** How long the client couldn't send because we weren't reading. */
  pausedMs: number;
  bytesBefore: number;
};

type BodyLimits = Pick<HttpLimits, "bodyGraceMs" | "bodyBytesPerSecond" | "bodyMs" | "sweepMs">;

/** Responds with 408 to bodies that arrive too slowly, whatever their route. */
export function createSlowBodies({ bodyGraceMs, bodyBytesPerSecond, bodyMs, sweepMs }: BodyLimits) {
  const receiving = new Map<IncomingMessage, Receiving>();

  function hasTimeLeft(incoming: IncomingMessage, body: Receiving, now: number): boolean {
    const spent = now - body.startedAt - body.pausedMs;
    const received = incoming.socket.bytesRead - body.bytesBefore;
    return spent < Math.min(bodyMs, bodyGraceMs + (received / bodyBytesPerSecond) * 1_000);
  }

  return {
    /** Watches the body, if the request has one. */
    watch(incoming: IncomingMessage, response: ServerResponse): void {
      if (!hasBody(incoming)) return;
      const bytesBefore = incoming.socket.bytesRead;
      receiving.set(incoming, { response, startedAt: performance.now(), pausedMs: 0, bytesBefore });
    },
    sweep(now: number): void {
      for (const [incoming, body] of receiving) {
        if (incoming.complete || incoming.destroyed || body.response.headersSent) receiving.delete(incoming);
        else if (incoming.socket.isPaused()) body.pausedMs += sweepMs;
        else if (!hasTimeLeft(incoming, body, now)) {
          receiving.delete(incoming);
          sendProblem(body.response, requestTimeout("body"));
          discardOutput(body.response);
        }
      }
    },
  };
}

/** Discards what the route still writes, since the response has already ended. */
function discardOutput(response: ServerResponse): void {
  Object.assign(response, {
    writeHead: () => response,
    flushHeaders: () => {},
    write: () => true,
    end: () => response,
  });
}

type DrainLimits = Pick<
  HttpLimits,
  "drainMs" | "drainBytes" | "drainBytesPerMs" | "draining" | "drainingPerAddress" | "undrainedMs"
>;

/**
 * Makes sure that clients get an answer that is sent before the whole body has arrived, such as 413. Closing a connection with
 * unread bytes resets it, and the answer may be lost. So the answer has `Connection: close`, and the rest of the body is read and
 * discarded for a while before the connection is closed (RFC 9112, 9.6).
 */
export function createBodyDrain(limits: DrainLimits, connections: Connections) {
  const { drainMs, drainBytes, drainBytesPerMs } = limits;
  /** The requests whose bodies are still being read and discarded, with their client's address. */
  const open = new Map<IncomingMessage, string>();

  function mayDrain(address: string): boolean {
    if (open.size >= limits.draining) return false;
    return [...open.values()].filter((other) => other === address).length < limits.drainingPerAddress;
  }

  function drainBody(request: IncomingMessage, close: () => void): void {
    if (request.complete) {
      close();
      return;
    }
    const { socket } = request;
    const address = connections.addressOf(socket);
    // Hono's server destroys a request that was not read to its end, and the connection with it.
    request.destroy = () => request;
    // The answer has been sent, so nobody needs the body any more.
    request.removeAllListeners("data").removeAllListeners("readable");
    if (mayDrain(address)) keepReading(request, address, close);
    else stopReading(request);
    // Also discards what is already buffered.
    request.resume();
    // Tells the client that nothing more follows.
    socket.end();
  }

  function keepReading(request: IncomingMessage, address: string, close: () => void): void {
    const { socket } = request;
    open.set(request, address);
    socket.once("close", () => open.delete(request));
    const maxBytesRead = socket.bytesRead + drainBytes;
    destroyAfter(drainMs, socket);
    request.on("data", (chunk: Buffer) => {
      if (socket.bytesRead > maxBytesRead) socket.destroy();
      // Paced like an ordinary fast connection, so that flooding takes the sender as long.
      request.pause();
      setTimeout(() => request.resume(), chunk.length / drainBytesPerMs);
    });
    request.once("end", close);
  }

  /** Beyond the limits, for example in a flood, connections are reset once the client has had time to read its answer. */
  function stopReading(request: IncomingMessage): void {
    request._read = () => {};
    request.socket.pause();
    destroyAfter(limits.undrainedMs, request.socket);
  }

  const isUnread = (request: IncomingMessage) => !request.complete && hasBody(request);

  return {
    /** Whether a request comes with a body, and as many bodies of its client are being discarded as may be at a time. */
    isFlooded: (request: IncomingMessage): boolean =>
      isUnread(request) && !mayDrain(connections.addressOf(request.socket)),

    /** Must be called before the headers are sent. */
    prepare(response: ServerResponse): void {
      const { req: request } = response;
      if (!isUnread(request)) return;
      response.shouldKeepAlive = false;
      const { socket } = request;
      // With this method Node would read and discard a body that nobody has begun to read, as fast as it arrives.
      Object.assign(request, { _dump: () => {} });
      const close = socket.destroySoon.bind(socket);
      // Node calls this after a connection's last answer.
      socket.destroySoon = () => drainBody(request, close);
    },
  };
}

function destroyAfter(ms: number, socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once("close", () => clearTimeout(timer));
}

/** Whether the request announces a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Bytes of a body that are read as soon as they arrive. */
const promptBytes = 16 * 1_024;

/**
 * Makes the large bodies of all requests take turns: one piece in total is read in each turn of the event loop. Node accepts one
 * connection per turn, so otherwise each new connection would wait for a piece of every body, once per connection before it. An
 * address with many bodies has no more pieces read than one with a single body.
 */
export function createPacedRequests(): typeof IncomingMessage {
  const yieldWhenSpent = createTickBudget();

  return class PacedRequest extends IncomingMessage {
    #received = 0;

    /** Returning false pauses reading until `_read` is called. */
    override push(chunk: Buffer | null): boolean {
      this.#received += chunk?.length ?? 0;
      const wantsMore = super.push(chunk);
      return wantsMore && this.#received < promptBytes;
    }

    override _read(size: number): void {
      if (this.#received < promptBytes) super._read(size);
      else void yieldWhenSpent(addressKey(this.socket.remoteAddress)).then(() => super._read(size));
    }
  };
}

/** Responds with a problem, as everywhere else, to requests that Node's HTTP parser refuses. */
export function answerClientErrors(server: Server, connections: Connections): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!(socket instanceof Socket)) return void socket.destroy();
    const [current, ...others] = connections.of(socket)?.unanswered ?? [];
    // Never in the middle of a response, nor in place of one that an earlier request is waiting for.
    const canAnswer = others.length === 0 && current?.headersSent !== true;
    if (error.code === "ECONNRESET" || !socket.writable || !canAnswer) socket.destroy();
    else sendRawProblem(socket, toProblem(error.code));
  });
}

function toProblem(code: string | undefined): Problem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return requestTimeout("request");
  if (code === "HPE_HEADER_OVERFLOW") {
    return {
      status: 431,
      code: "headers_too_large",
      detail: "A request's URL and headers may have 16,384 bytes in total: send less.",
    };
  }
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    return {
      status: 413,
      code: "body_too_large",
      detail: "The body's chunk extensions have more than 16,384 bytes: leave them out.",
    };
  }
  return {
    status: 400,
    code: "malformed_request",
    detail: "This is not an HTTP/1.1 request: correct it and send it again.",
  };
}

function requestTimeout(part: "request" | "body"): Problem {
  return {
    status: 408,
    code: "request_timeout",
    detail: `The ${part} arrived too slowly, and nothing was done: send it again over a faster connection.`,
  };
}
