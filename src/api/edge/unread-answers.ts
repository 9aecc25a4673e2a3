import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";
import type { EdgeLimits } from "./limits.ts";

type Unread = {
  address: string;
  /** When the client last made progress, and how many bytes it had taken by then. */
  progressAt: number;
  taken: number;
};

/** For larger answers, a trickle does not count as progress. */
const largeBytes = 64 * 1_024;
/** What counts as progress with a large answer. */
const progressBytes = 16 * 1_024;

type UnreadLimits = Pick<EdgeLimits, "unreadMs" | "unreadBytes" | "unreadBytesPerAddress">;

/** Disconnects clients that stall and, if too much is buffered in total, those that have stalled longest. */
export function createUnreadAnswers(limits: UnreadLimits, connections: Connections) {
  const waiting = new Map<ServerResponse, Unread>();

  function updateProgress(response: ServerResponse, unread: Unread, now: number): void {
    const { socket } = response.req;
    if (response.closed || socket.destroyed || response.writableLength === 0) {
      waiting.delete(response);
      return;
    }
    const taken = bytesTaken(socket);
    const minProgress = response.writableLength > largeBytes ? progressBytes : 1;
    if (taken - unread.taken >= minProgress) Object.assign(unread, { taken, progressAt: now });
  }

  /** Disconnects the clients that have stalled longest until the buffered answers fit the budgets. A single large answer is not abuse. */
  function enforceBudgets(now: number): void {
    const perAddress = new Map<string, { bytes: number; answers: number }>();
    const all = { bytes: 0, answers: 0 };
    for (const [response, unread] of waiting) {
      updateProgress(response, unread, now);
      if (!waiting.has(response)) continue;
      const own = perAddress.get(unread.address) ?? { bytes: 0, answers: 0 };
      perAddress.set(unread.address, own);
      for (const sum of [own, all]) {
        sum.bytes += response.writableLength;
        sum.answers++;
      }
    }
    const isOver = () => all.bytes > limits.unreadBytes && all.answers > 1;
    const addressIsOver = ({ bytes, answers }: typeof all) =>
      bytes > limits.unreadBytesPerAddress && answers > 1;
    if (!isOver() && ![...perAddress.values()].some(addressIsOver)) return;

    for (const [response, { address }] of [...waiting].sort(([, a], [, b]) => a.progressAt - b.progressAt)) {
      const own = perAddress.get(address);
      if (own === undefined || !(isOver() || addressIsOver(own))) continue;
      for (const sum of [own, all]) {
        sum.bytes -= response.writableLength;
        sum.answers--;
      }
      disconnect(response);
    }
  }

  function disconnect(response: ServerResponse): void {
    waiting.delete(response);
    response.req.socket.destroy();
  }

  return {
    /** Must be called after each write. */
    noteWritten(response: ServerResponse): void {
      const { writableLength } = response;
      if (writableLength === 0) return;
      const { socket } = response.req;
      const now = performance.now();
      if (!waiting.has(response)) {
        const address = connections.of(socket)?.address ?? "unknown";
        waiting.set(response, { address, progressAt: now, taken: bytesTaken(socket) });
      }
      if (writableLength > largeBytes) enforceBudgets(now);
    },
    sweep(now: number): void {
      for (const [response, unread] of waiting) {
        updateProgress(response, unread, now);
        if (waiting.has(response) && now - unread.progressAt > limits.unreadMs) disconnect(response);
      }
    },
  };
}

type SocketInternals = { _bytesDispatched?: number; _handle?: { writeQueueSize?: number } | null };

/**
 * How many of the written bytes the operating system has taken. Node's public counters only change when a write is complete, which
 * for a large answer is at its end.
 */
function bytesTaken(socket: Socket): number {
  const { _bytesDispatched = 0, _handle } = socket as unknown as SocketInternals;
  return _bytesDispatched - (_handle?.writeQueueSize ?? 0);
}
