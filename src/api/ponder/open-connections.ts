import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A connection or a listening socket beneath Node's own objects, which another process can go on with. */
export type RawHandle = {
  close(): void;
  readStop?: () => void;
  writeQueueSize?: number;
};

/** What Node keeps of a connection and has no name for. */
type Internals = {
  _handle: RawHandle | null;
  parser?: { unconsume(): void } | null;
};

const rawOf = (socket: Socket) => socket as unknown as Internals;

/** Knows the connections of a server, from when it is called, and takes the idle ones out of it. */
export function watchConnections(server: Server) {
  const open = new Map<Socket, Set<ServerResponse>>();

  server.on("connection", (socket: Socket) => {
    open.set(socket, new Set());
    socket.once("close", () => open.delete(socket));
  });
  server.prependListener("request", ({ socket }, response) => {
    const unanswered = open.get(socket);
    unanswered?.add(response);
    response.once("close", () => unanswered?.delete(response));
  });

  /** Connections without a request under way, in whole or in part. */
  function idle(): Socket[] {
    const found: Socket[] = [];
    // Only Node knows where half a request has come, and names the idle ones by destroying them.
    for (const socket of open.keys()) {
      socket.destroy = () => {
        found.push(socket);
        return socket;
      };
    }
    server.closeIdleConnections();
    for (const socket of open.keys()) Reflect.deleteProperty(socket, "destroy");
    // For Node, one that has just been made is not idle.
    const fresh = [...open.keys()].filter((socket) => socket.bytesRead === 0 && !found.includes(socket));
    return [...found, ...fresh].filter(
      (socket) =>
        open.get(socket)?.size === 0 &&
        !socket.destroyed &&
        !socket.readableEnded &&
        socket.writable &&
        socket.writableLength === 0 &&
        rawOf(socket)._handle?.writeQueueSize === 0,
    );
  }

  return {
    get size(): number {
      return open.size;
    },
    /** Has every answer that has not begun end its connection. */
    endWithAnswers(): void {
      for (const unanswered of open.values()) {
        for (const response of unanswered)
          if (!response.headersSent) response.setHeader("connection", "close");
      }
    },
    /** Takes the idle connections out of the server: they stay open, and what comes over them stays unread. */
    takeIdle(): RawHandle[] {
      return idle().flatMap((socket) => {
        const raw = rawOf(socket);
        const handle = raw._handle;
        if (handle === null) return [];
        raw.parser?.unconsume();
        handle.readStop?.();
        raw._handle = null;
        open.delete(socket);
        socket.destroy();
        return [handle];
      });
    },
  };
}
