import type { Server, ServerResponse } from "node:http";
import net, { type ListenOptions, Socket } from "node:net";
import { pause } from "../../../config/async.ts";
import { isWaiting } from "../../../config/process-environment.ts";

/*
 * How a running process hands its clients over to the process of a new version. `npm start` instructs both and passes the
 * sockets between them: first the listening socket, then the connections without a request in flight.
 */

/** The longest that requests in flight may take once another process has taken over. */
const retireTimeoutMs = 25_000;
const retireStepMs = 20;

// In development, Ponder reloads the API in the same process when one of its files is edited.
declare global {
  var LAUNCHPAD_RETIRING: Set<() => void> | undefined;
  var LAUNCHPAD_PUBLIC: PromiseWithResolvers<void> | undefined;
}
globalThis.LAUNCHPAD_RETIRING ??= new Set();
globalThis.LAUNCHPAD_PUBLIC ??= Promise.withResolvers();
if (!isWaiting()) globalThis.LAUNCHPAD_PUBLIC.resolve();

/** Registers a callback that runs repeatedly while this process waits for its clients to leave. */
export function onRetire(callback: () => void): void {
  globalThis.LAUNCHPAD_RETIRING?.add(callback);
}

/** Resolves once clients can reach this process. */
export async function whenPublic(): Promise<void> {
  await globalThis.LAUNCHPAD_PUBLIC?.promise;
}

/**
 * Lets another process take this server's clients over, or, in a waiting process, this server take over: until then
 * only `npm start` can reach it.
 */
export function offerHandover(server: Server): void {
  if (process.send === undefined) return;
  const connections = watchConnections(server);
  let probe = isWaiting() ? listenPrivately(server) : undefined;
  let isRetiring = false;

  server.prependListener("request", (_, response) => {
    if (isRetiring) response.setHeader("connection", "close");
  });

  async function sendListener(): Promise<void> {
    const raw: Server & Internals = server;
    const handle = raw._handle;
    if (!handle) throw new Error("this process is not listening");
    await sendToParent({ kind: "listener" }, handle);
    // New connections now wait in the socket's backlog until the other process accepts them.
    raw._handle = null;
    handle.close();
  }

  async function receiveListener(handle: RawHandle): Promise<void> {
    const listening = Promise.withResolvers<void>();
    server.listen({ _handle: handle } as ListenOptions, listening.resolve);
    await listening.promise;
    probe?.close();
    probe = undefined;
    globalThis.LAUNCHPAD_PUBLIC?.resolve();
    await sendToParent({ kind: "accepting" });
  }

  async function retire(): Promise<void> {
    isRetiring = true;
    // The server no longer listens, so that Node's own close would report an error.
    server.close = (done) => {
      done?.();
      return server;
    };
    connections.closeAfterResponses();
    const deadline = performance.now() + retireTimeoutMs;
    for (;;) {
      for (const handle of connections.detachIdle()) {
        await sendToParent({ kind: "connection" }, handle);
        handle.close();
      }
      for (const callback of globalThis.LAUNCHPAD_RETIRING ?? []) callback();
      if (connections.size === 0 || performance.now() > deadline) break;
      await pause(retireStepMs);
    }
    await sendToParent({ kind: "retired" });
  }

  process.on("message", ({ kind }: { kind: string }, received: unknown) => {
    const handle = received as RawHandle | undefined;
    const report = (error: unknown) => console.error(`handover (${kind}):`, error);
    if (kind === "hand over") sendListener().catch(report);
    else if (kind === "listener" && handle !== undefined) receiveListener(handle).catch(report);
    else if (kind === "connection" && handle !== undefined) adoptConnection(server, handle);
    else if (kind === "retire") retire().catch(report);
  });
  // The channel to the parent must not keep this process alive.
  process.channel?.unref();
}

function adoptConnection(server: Server, handle: RawHandle): void {
  const options = { handle, allowHalfOpen: true, readable: true, writable: true };
  server.emit("connection", new Socket(options as net.SocketConstructorOpts));
}

/** Makes the server listen on a free loopback port, whichever port it is told to listen on. */
function listenPrivately(server: Server): net.Server {
  const probe = net.createServer({ allowHalfOpen: true }, (socket) => server.emit("connection", socket));
  const { listen } = server;
  const close = server.close.bind(server);
  server.close = (done) => {
    if (server.listening) return close(done);
    // Node's own would report an error, on which Ponder waits for five seconds before it exits.
    probe.close();
    done?.();
    return server;
  };
  server.listen = ((...args: unknown[]) => {
    server.listen = listen;
    const done = args.find((value): value is () => void => typeof value === "function");
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "string" ? undefined : address?.port;
      sendToParent({ kind: "private", port }).catch(console.error);
      done?.();
    });
    return server;
  }) as typeof listen;
  return probe;
}

function sendToParent(message: object, handle?: RawHandle): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined || !process.connected) return reject(new Error("npm start has ended"));
    // Node accepts raw handles too, though its types don't say so.
    process.send(message, handle as unknown as Socket, {}, (error) => (error ? reject(error) : resolve()));
  });
}

/** The handle beneath a Node socket or server, which can be passed to another process. */
type RawHandle = {
  close(): void;
  readStop?: () => void;
  writeQueueSize?: number;
};

/** Undocumented fields of Node's servers and sockets. */
type Internals = {
  _handle?: RawHandle | null;
  parser?: { unconsume(): void } | null;
};

const internalsOf = (socket: Socket): Internals & Socket => socket;

/** Tracks a server's connections from now on, and can detach the idle ones. */
function watchConnections(server: Server) {
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
    const idle: Socket[] = [];
    // Only Node knows whether a partial request has arrived, and it reveals the idle connections only by destroying them.
    for (const socket of open.keys()) {
      socket.destroy = () => {
        idle.push(socket);
        return socket;
      };
    }
    server.closeIdleConnections();
    for (const socket of open.keys()) Reflect.deleteProperty(socket, "destroy");
    // Node doesn't count a brand-new connection as idle.
    const fresh = [...open.keys()].filter((socket) => socket.bytesRead === 0 && !idle.includes(socket));
    return [...idle, ...fresh].filter(
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
        if (!handle) return [];
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
