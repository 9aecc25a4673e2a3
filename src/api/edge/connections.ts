import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressKey } from "../http/client-ip.ts";
import { sendRawProblem } from "./send-problem.ts";

export type Connection = {
  /** The client's address, in the form that counts as one client. */
  address: string;
  /** Responses that the client is waiting for, in order. */
  unanswered: Set<ServerResponse>;
};

export type Connections = ReturnType<typeof createConnections>;

/**
 * Tracks the open connections, and limits them by address.
 *
 * @param maxPerAddress undefined for no limit, as behind a proxy, where every connection is the proxy's
 */
export function createConnections(maxPerAddress: number | undefined) {
  const connections = new WeakMap<Socket, Connection>();
  const perAddress = new Map<string, number>();

  function count(address: string, change: 1 | -1): void {
    const open = (perAddress.get(address) ?? 0) + change;
    if (open === 0) perAddress.delete(address);
    else perAddress.set(address, open);
  }

  function accept(socket: Socket): void {
    const address = addressKey(socket.remoteAddress);
    if (maxPerAddress !== undefined && (perAddress.get(address) ?? 0) >= maxPerAddress) {
      sendRawProblem(socket, {
        status: 429,
        code: "too_many_connections",
        title: "Too many connections",
        detail: `Your address already has ${maxPerAddress} open connections, which is the limit: close or reuse some.`,
        retryAfter: 10,
      });
      return;
    }
    connections.set(socket, { address, unanswered: new Set() });
    count(address, 1);
    socket.once("close", () => count(address, -1));
  }

  return {
    watch(server: Server): void {
      server.on("connection", accept);
    },
    /** Returns undefined for a refused connection. */
    of: (socket: Socket) => connections.get(socket),
  };
}
