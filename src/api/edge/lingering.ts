import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";
import type { EdgeLimits } from "./limits.ts";

type LingerLimits = Pick<
  EdgeLimits,
  "lingerMs" | "lingerBytes" | "lingerBytesPerMs" | "lingering" | "lingeringPerAddress" | "unreadLingerMs"
>;

/**
 * Makes sure that clients get an answer that is sent before the whole body has arrived, such as 413. Closing a connection with
 * unread bytes resets it, and the answer may be lost. So the answer has `Connection: close`, and the rest of the body is read and
 * discarded for a while before the connection is closed (RFC 9112, 9.6).
 */
export function createLingering(limits: LingerLimits, connections: Connections) {
  const { lingerMs, lingerBytes, lingerBytesPerMs } = limits;
  /** The lingering requests that are still being read, with their client's address. */
  const open = new Map<IncomingMessage, string>();

  function mayLinger(address: string): boolean {
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
    // Hono's server destroys a request that was not read to its end, and the connection with it.
    request.destroy = () => request;
    // The answer has been sent, so nobody needs the body any more.
    request.removeAllListeners("data").removeAllListeners("readable");
    if (mayLinger(address)) keepReading(request, address, close);
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
    const maxBytesRead = socket.bytesRead + lingerBytes;
    destroyAfter(lingerMs, socket);
    request.on("data", (chunk: Buffer) => {
      if (socket.bytesRead > maxBytesRead) socket.destroy();
      // Paced like an ordinary fast connection, so that flooding takes the sender as long.
      request.pause();
      setTimeout(() => request.resume(), chunk.length / lingerBytesPerMs);
    });
    request.once("end", close);
  }

  /** Beyond the limits, for example in a flood, connections are reset once the client has had time to read its answer. */
  function stopReading(request: IncomingMessage): void {
    request._read = () => {};
    request.socket.pause();
    destroyAfter(limits.unreadLingerMs, request.socket);
  }

  return {
    /** Must be called before the headers are sent. */
    prepare(response: ServerResponse): void {
      const { req: request } = response;
      if (request.complete || !hasBody(request)) return;
      response.shouldKeepAlive = false;
      const { socket } = request;
      // With this method Node would read and discard a body that nobody has begun to read, as fast as it arrives.
      Object.assign(request, { _dump: () => {} });
      const close = socket.destroySoon.bind(socket);
      // Node calls this after a connection's last answer.
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
