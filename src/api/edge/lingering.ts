import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";
import type { EdgeLimits } from "./limits.ts";

type LingerLimits = Pick<
  EdgeLimits,
  "lingerMs" | "lingerBytes" | "lingerBytesPerMs" | "lingering" | "lingeringPerAddress" | "unreadLingerMs"
>;

/**
 * Sees to it that clients get an answer that comes before they have sent all of their body, such as 413. A connection that is closed
 * while bytes of it are unread is reset, and what was sent last may never arrive. So the answer says `Connection: close`, and
 * the rest of the body is read and dropped for a while before the connection is closed (RFC 9112, 9.6).
 */
export function createLingering(limits: LingerLimits, connections: Connections) {
  const { lingerMs, lingerBytes, lingerBytesPerMs } = limits;
  /** The address of each connection that is still read. */
  const open = new Map<IncomingMessage, string>();

  function hasRoomFor(address: string): boolean {
    if (open.size >= limits.lingering) return false;
    return [...open.values()].filter((other) => other === address).length < limits.lingeringPerAddress;
  }

  function linger(request: IncomingMessage, close: () => void): void {
    if (request.complete) {
      close();
      return;
    }
    const { socket } = request;
    const address = connections.of(socket)?.address ?? "unknown";
    // The Hono server destroys it when it was not read to its end, and with it the connection.
    request.destroy = () => request;
    // Whoever still reads it has been answered already.
    request.removeAllListeners("data").removeAllListeners("readable");
    if (hasRoomFor(address)) readOn(request, address, close);
    else stopReading(request);
    // Drops what waits, too.
    request.resume();
    // The client knows by this that there is nothing to wait for.
    socket.end();
  }

  function readOn(request: IncomingMessage, address: string, close: () => void): void {
    const { socket } = request;
    open.set(request, address);
    socket.once("close", () => open.delete(request));
    const mostRead = socket.bytesRead + lingerBytes;
    destroyAfter(lingerMs, socket);
    request.on("data", (chunk: Buffer) => {
      if (socket.bytesRead > mostRead) socket.destroy();
      // As fast as a connection of today, and no faster: whoever floods us pays for it with time.
      request.pause();
      setTimeout(() => request.resume(), chunk.length / lingerBytesPerMs);
    });
    request.once("end", close);
  }

  /** Under a flood, those who come late are reset, once they have had the time to read their answer. */
  function stopReading(request: IncomingMessage): void {
    request._read = () => {};
    request.socket.pause();
    destroyAfter(limits.unreadLingerMs, request.socket);
  }

  return {
    /** To be called before the headers are sent. */
    prepare(response: ServerResponse): void {
      const { req: request } = response;
      if (request.complete || !hasBody(request)) return;
      response.shouldKeepAlive = false;
      const { socket } = request;
      // By this method, Node would read and drop all of a body that nobody has begun to read, as fast as it comes.
      Object.assign(request, { _dump: () => {} });
      const close = socket.destroySoon.bind(socket);
      // What Node calls after the last answer of a connection.
      socket.destroySoon = () => linger(request, close);
    },
  };
}

function destroyAfter(ms: number, socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once("close", () => clearTimeout(timer));
}

/** Whether the request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
