import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressKey } from "../http/client-ip.ts";
import { sendRawProblem } from "./send-problem.ts";

export type Connection = {
  /** Who counts as one client. */
  address: string;
  /** Answers that it waits for, the next one first. */
  unanswered: Set<ServerResponse>;
};

export type Connections = ReturnType<typeof createConnections>;

/**
 * Every open connection, of which each address may have so many.
 *
 * @param mostPerAddress undefined: no limit, as behind a proxy, where every connection is the proxy's
 */
export function createConnections(mostPerAddress: number | undefined) {
  const connections = new WeakMap<Socket, Connection>();
  const perAddress = new Map<string, number>();

  function count(address: string, change: 1 | -1): void {
    const open = (perAddress.get(address) ?? 0) + change;
    if (open === 0) perAddress.delete(address);
    else perAddress.set(address, open);
  }

  function accept(socket: Socket): void {
    const address = addressKey(socket.remoteAddress);
    if (mostPerAddress !== undefined && (perAddress.get(address) ?? 0) >= mostPerAddress) {
      sendRawProblem(socket, {
        status: 429,
        code: "too_many_connections",
        title: "Too many connections",
        detail: `Your address has ${mostPerAddress} connections open, which is as many as it may: close some, or reuse them.`,
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
    /** Undefined for a connection that was refused. */
    of: (socket: Socket) => connections.get(socket),
  };
}
