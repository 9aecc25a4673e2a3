import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The handle beneath a Node socket or server, which can be passed to another process. */
export type RawHandle = {
  close(): void;
  readStop?: () => void;
  writeQueueSize?: number;
};

/** Undocumented fields of Node's sockets. */
type Internals = {
  _handle: RawHandle | null;
  parser?: { unconsume(): void } | null;
};

const internalsOf = (socket: Socket) => socket as unknown as Internals;

/** Tracks a server's connections from now on, and can detach the idle ones. */
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

  /** Finds connections without a request in flight, not even a partly received one. */
  function findIdle(): Socket[] {
    const found: Socket[] = [];
    // Only Node knows whether a partial request has arrived, and it reveals the idle connections only by destroying them.
    for (const socket of open.keys()) {
      socket.destroy = () => {
        found.push(socket);
        return socket;
      };
    }
    server.closeIdleConnections();
    for (const socket of open.keys()) Reflect.deleteProperty(socket, "destroy");
    // Node doesn't count a brand-new connection as idle.
    const fresh = [...open.keys()].filter((socket) => socket.bytesRead === 0 && !found.includes(socket));
    return [...found, ...fresh].filter(
      (socket) =>
        open.get(socket)?.size === 0 &&
        !socket.destroyed &&
        !socket.readableEnded &&
        socket.writable &&
        socket.writableLength === 0 &&
        internalsOf(socket)._handle?.writeQueueSize === 0,
    );
  }

  return {
    get size(): number {
      return open.size;
    },
    /** Makes every response that has not begun close its connection. */
    closeAfterResponses(): void {
      for (const unanswered of open.values()) {
        for (const response of unanswered)
          if (!response.headersSent) response.setHeader("connection", "close");
      }
    },
    /** Detaches the idle connections from the server: they stay open, and incoming data stays unread. */
    detachIdle(): RawHandle[] {
      return findIdle().flatMap((socket) => {
        const raw = internalsOf(socket);
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
