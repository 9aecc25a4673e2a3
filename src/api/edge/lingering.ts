import type { IncomingMessage, ServerResponse } from "node:http";
import type { Connections } from "./connections.ts";
import type { EdgeLimits } from "./limits.ts";

type LingerLimits = Pick<
  EdgeLimits,
  "lingerMs" | "lingerBytes" | "lingerBytesPerMs" | "lingering" | "lingeringPerAddress"
>;

/**
 * Sees to it that clients get an answer that comes before they have sent all of their body, such as 413. A connection that is closed
 * while bytes of it are unread is reset, and what was sent last may never arrive. So the answer says `Connection: close`, and
 * the rest of the body is read and dropped for a while before the connection is closed (RFC 9112, 9.6).
 */
export function createLingering(limits: LingerLimits, connections: Connections) {
  const { lingerMs, lingerBytes, lingerBytesPerMs } = limits;
  /** The address of each connection that lingers. */
  const open = new Map<IncomingMessage, string>();

  function hasRoomFor(address: string): boolean {
    if (open.size >= limits.lingering) return false;
    return [...open.values()].filter((other) => other === address).length < limits.lingeringPerAddress;
  }

  function linger(request: IncomingMessage, close: () => void): void {
    const { socket } = request;
    const address = connections.of(socket)?.address ?? "unknown";
    // Under a flood, those who come late get a reset.
    if (request.complete || !hasRoomFor(address)) {
      close();
      return;
    }
    open.set(request, address);
    // The Hono server destroys it when it was not read to its end, and with it the connection.
    request.destroy = () => request;
    // Whoever still reads it has been answered already.
    request.removeAllListeners("data").removeAllListeners("readable");
    const mostRead = socket.bytesRead + lingerBytes;
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    request.on("data", (chunk: Buffer) => {
      if (socket.bytesRead > mostRead) socket.destroy();
      // As fast as a connection of today, and no faster: whoever floods us pays for it with time.
      request.pause();
      setTimeout(() => request.resume(), chunk.length / lingerBytesPerMs);
    });
    request.once("end", close);
    socket.once("close", () => {
      clearTimeout(timer);
      open.delete(request);
    });
    request.resume();
    // The client knows by this that there is nothing to wait for.
    socket.end();
  }

  return {
    /** To be called before the headers are sent. */
    prepare(response: ServerResponse): void {
      const { req: request } = response;
      if (request.complete || !hasBody(request)) return;
      response.shouldKeepAlive = false;
      const { socket } = request;
      const close = socket.destroySoon.bind(socket);
      // What Node calls after the last answer of a connection.
      socket.destroySoon = () => linger(request, close);
    },
  };
}

/** Whether the request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
