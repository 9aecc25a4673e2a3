import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Counts } from "../concurrency/usage.ts";
import { addressKey } from "../http/client-ip.ts";
import type { HttpLimits } from "./limits.ts";
import { sendRawProblem } from "./send-problem.ts";

export type Connection = {
  /** The client's address, in the form that counts as one client. */
  address: string;
  /** Responses that the client is waiting for, in order. */
  unanswered: Set<ServerResponse>;
};

export type Connections = ReturnType<typeof createConnections>;

type ConnectionLimits = Pick<HttpLimits, "idle">;

/**
 * Tracks the open connections, and limits them by address. A connection without a pending request is idle, and gives way to a new
 * one of its address. If there are too many idle ones in all, the address with the most of them loses its oldest.
 *
 * @param maxPerAddress undefined for no limit, as behind a proxy, where every connection is the proxy's
 */
export function createConnections(maxPerAddress: number | undefined, limits: ConnectionLimits) {
  const connections = new WeakMap<Socket, Connection>();
  const perAddress = new Counts();
  /** The idle connections of each address, those that have been idle longest first. */
  const idle = new Map<string, Set<Socket>>();
  let idleCount = 0;

  function addIdle(socket: Socket, address: string): void {
    if (socket.destroyed) return;
    const sockets = idle.get(address) ?? new Set();
    // Set anew, so that of addresses with equally many the one that became idle last comes last.
    idle.delete(address);
    idle.set(address, sockets.add(socket));
    idleCount++;
    if (idleCount <= limits.idle) return;
    let most = new Set<Socket>();
    for (const sockets of idle.values()) if (sockets.size > most.size) most = sockets;
    closeOldest(most);
  }

  function removeIdle(socket: Socket, address: string): void {
    const sockets = idle.get(address);
    if (sockets?.delete(socket) !== true) return;
    idleCount--;
    if (sockets.size === 0) idle.delete(address);
  }

  /** Returns whether there was one to close. */
  function closeOldest(sockets: Set<Socket> | undefined): boolean {
    const [oldest] = sockets ?? [];
    if (oldest === undefined) return false;
    release(oldest);
    oldest.destroy();
    return true;
  }

  function release(socket: Socket): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    removeIdle(socket, connection.address);
    perAddress.add(connection.address, -1);
  }

  function accept(socket: Socket): void {
    const address = addressKey(socket.remoteAddress);
    const isFull = maxPerAddress !== undefined && perAddress.of(address) >= maxPerAddress;
    if (isFull && !closeOldest(idle.get(address))) {
      sendRawProblem(socket, {
        status: 429,
        code: "too_many_connections",
        detail: `Your address already has ${maxPerAddress} open connections, which is the limit: close or reuse some.`,
        retryAfter: 10,
      });
      return;
    }
    connections.set(socket, { address, unanswered: new Set() });
    perAddress.add(address, 1);
    addIdle(socket, address);
    socket.once("close", () => release(socket));
  }

  return {
    watch(server: Server): void {
      server.on("connection", accept);
    },
    /** Returns undefined for a refused connection. */
    of: (socket: Socket) => connections.get(socket),
    /** Also for a connection that has ended since, or was refused. */
    addressOf: (socket: Socket): string => connections.get(socket)?.address ?? "unknown",
    /** Adds a response that the client of a connection waits for, until it is closed. */
    addUnanswered(socket: Socket, { address, unanswered }: Connection, response: ServerResponse): void {
      unanswered.add(response);
      removeIdle(socket, address);
      response.once("close", () => {
        unanswered.delete(response);
        if (unanswered.size === 0 && connections.has(socket)) addIdle(socket, address);
      });
    },
  };
}
