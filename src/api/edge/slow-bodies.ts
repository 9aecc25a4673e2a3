import type { IncomingMessage, ServerResponse } from "node:http";
import { requestTimeout } from "./client-errors.ts";
import type { EdgeLimits } from "./limits.ts";
import { hasBody } from "./lingering.ts";
import { sendProblem } from "./send-problem.ts";

type Receiving = {
  response: ServerResponse;
  startedAt: number;
  /** How long the client couldn't send because we weren't reading. */
  pausedMs: number;
  bytesBefore: number;
};

type BodyLimits = Pick<EdgeLimits, "bodyGraceMs" | "bodyBytesPerSecond" | "bodyMs" | "sweepMs">;

/** Responds with 408 to bodies that arrive too slowly, whatever their route. */
export function createSlowBodies({ bodyGraceMs, bodyBytesPerSecond, bodyMs, sweepMs }: BodyLimits) {
  const receiving = new Map<IncomingMessage, Receiving>();

  function hasTimeLeft(incoming: IncomingMessage, body: Receiving, now: number): boolean {
    const spent = now - body.startedAt - body.pausedMs;
    const received = incoming.socket.bytesRead - body.bytesBefore;
    return spent < Math.min(bodyMs, bodyGraceMs + (received / bodyBytesPerSecond) * 1_000);
  }

  return {
    /** Watches the body, if the request has one. */
    watch(incoming: IncomingMessage, response: ServerResponse): void {
      if (!hasBody(incoming)) return;
      const bytesBefore = incoming.socket.bytesRead;
      receiving.set(incoming, { response, startedAt: performance.now(), pausedMs: 0, bytesBefore });
    },
    sweep(now: number): void {
      for (const [incoming, body] of receiving) {
        if (incoming.complete || incoming.destroyed || body.response.headersSent) receiving.delete(incoming);
        else if (incoming.socket.isPaused()) body.pausedMs += sweepMs;
        else if (!hasTimeLeft(incoming, body, now)) {
          receiving.delete(incoming);
          sendProblem(body.response, requestTimeout("body"));
          discardOutput(body.response);
        }
      }
    },
  };
}

/** Discards what the route still writes, since the response has already ended. */
function discardOutput(response: ServerResponse): void {
  Object.assign(response, {
    writeHead: () => response,
    flushHeaders: () => {},
    write: () => true,
    end: () => response,
  });
}
