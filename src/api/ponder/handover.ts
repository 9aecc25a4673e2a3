import type { Server } from "node:http";
import net, { type AddressInfo, type ListenOptions, Socket } from "node:net";
import { isWaiting } from "../../../config/upgrade.ts";
import { pause } from "../concurrency/pause.ts";
import { type RawHandle, watchConnections } from "./open-connections.ts";

/*
 * How a running process hands its clients over to the process of a new version. Both are told by `npm start`, through which
 * the sockets go: first the listening one, then the connections without a request under way.
 */

/** For what is under way when another process has taken over. */
const mostRetireMs = 25_000;
const retireStepMs = 20;

// Ponder runs the API anew when a file of it is edited, in the same process.
const state = globalThis as {
  LAUNCHPAD_RETIRING?: Set<() => void>;
  LAUNCHPAD_PUBLIC?: PromiseWithResolvers<void>;
};
state.LAUNCHPAD_RETIRING ??= new Set();
state.LAUNCHPAD_PUBLIC ??= Promise.withResolvers();
if (!isWaiting()) state.LAUNCHPAD_PUBLIC.resolve();

/** Calls back, again and again, while this process waits for its clients to leave. */
export function onRetire(callback: () => void): void {
  state.LAUNCHPAD_RETIRING?.add(callback);
}

/** Resolves once clients can reach this process. */
export async function whenPublic(): Promise<void> {
  await state.LAUNCHPAD_PUBLIC?.promise;
}

/** Lets a server be taken over, or take over itself: until then it is reachable for `npm start` alone. */
export function offerHandover(server: Server): void {
  if (process.send === undefined) return;
  const connections = watchConnections(server);
  let probe = isWaiting() ? listenPrivately(server) : undefined;
  let isRetiring = false;

  server.prependListener("request", (_, response) => {
    if (isRetiring) response.setHeader("connection", "close");
  });

  async function giveListener(): Promise<void> {
    const raw = server as unknown as { _handle: RawHandle | null };
    const handle = raw._handle;
    if (handle === null) throw new Error("this process does not listen");
    await tell({ kind: "listener" }, handle);
    // Who connects now waits in the queue of the socket, for whoever has it.
    raw._handle = null;
    handle.close();
  }

  async function takeListener(handle: RawHandle): Promise<void> {
    const listening = Promise.withResolvers<void>();
    server.listen({ _handle: handle } as ListenOptions, listening.resolve);
    await listening.promise;
    probe?.close();
    probe = undefined;
    state.LAUNCHPAD_PUBLIC?.resolve();
    await tell({ kind: "accepting" });
  }

  async function retire(): Promise<void> {
    isRetiring = true;
    // Nothing listens any more, which Node reports as an error.
    server.close = (done) => {
      done?.();
      return server;
    };
    connections.endWithAnswers();
    const deadline = performance.now() + mostRetireMs;
    for (;;) {
      for (const handle of connections.takeIdle()) {
        await tell({ kind: "connection" }, handle);
        handle.close();
      }
      for (const callback of state.LAUNCHPAD_RETIRING ?? []) callback();
      if (connections.size === 0 || performance.now() > deadline) break;
      await pause(retireStepMs);
    }
    await tell({ kind: "retired" });
  }

  process.on("message", ({ kind }: { kind: string }, given: unknown) => {
    const handle = given as RawHandle | undefined;
    const report = (error: unknown) => console.error(`handover (${kind}):`, error);
    if (kind === "hand over") giveListener().catch(report);
    else if (kind === "listener" && handle !== undefined) takeListener(handle).catch(report);
    else if (kind === "connection" && handle !== undefined) accept(server, handle);
    else if (kind === "retire") retire().catch(report);
  });
  // The parent needn't be there for this process to end.
  process.channel?.unref();
}

function accept(server: Server, handle: RawHandle): void {
  const options = { handle, allowHalfOpen: true, readable: true, writable: true };
  server.emit("connection", new Socket(options as net.SocketConstructorOpts));
}

/** Has the server listen on a port of its own on loopback, whichever it is told to. */
function listenPrivately(server: Server): net.Server {
  const probe = net.createServer({ allowHalfOpen: true }, (socket) => server.emit("connection", socket));
  const { listen } = server;
  server.listen = ((...given: unknown[]) => {
    server.listen = listen;
    const done = given.find((value) => typeof value === "function") as (() => void) | undefined;
    probe.listen(0, "127.0.0.1", () => {
      tell({ kind: "private", port: (probe.address() as AddressInfo).port }).catch(console.error);
      done?.();
    });
    return server;
  }) as typeof listen;
  return probe;
}

function tell(message: object, handle?: RawHandle): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined || !process.connected) return reject(new Error("npm start is gone"));
    // Node takes raw handles too, which its types leave out.
    process.send(message, handle as unknown as Socket, {}, (error) => (error ? reject(error) : resolve()));
  });
}
