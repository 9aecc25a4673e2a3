import type { IncomingMessage, ServerResponse } from "node:http";
import { slowRequest } from "./client-errors.ts";
import type { EdgeLimits } from "./limits.ts";
import { hasBody } from "./lingering.ts";
import { sendProblem } from "./send-problem.ts";

type Receiving = {
  response: ServerResponse;
  startedAt: number;
  /** How long the client could not send because we did not read. */
  heldBackMs: number;
  bytesBefore: number;
};

type BodyLimits = Pick<EdgeLimits, "bodyGraceMs" | "bodyBytesPerSecond" | "bodyMs" | "sweepMs">;

/** Refuses bodies that come too slowly with 408, whichever route waits for them. */
export function createSlowBodies({ bodyGraceMs, bodyBytesPerSecond, bodyMs, sweepMs }: BodyLimits) {
  const receiving = new Map<IncomingMessage, Receiving>();

  function hasTimeLeft(incoming: IncomingMessage, body: Receiving, now: number): boolean {
    const spent = now - body.startedAt - body.heldBackMs;
    const received = incoming.socket.bytesRead - body.bytesBefore;
    return spent < Math.min(bodyMs, bodyGraceMs + (received / bodyBytesPerSecond) * 1_000);
  }

  return {
    /** Watches the body, where the request has one. */
    watch(incoming: IncomingMessage, response: ServerResponse): void {
      if (!hasBody(incoming)) return;
      const bytesBefore = incoming.socket.bytesRead;
      receiving.set(incoming, { response, startedAt: performance.now(), heldBackMs: 0, bytesBefore });
    },
    sweep(now: number): void {
      for (const [incoming, body] of receiving) {
        if (incoming.complete || incoming.destroyed || body.response.headersSent) receiving.delete(incoming);
        else if (incoming.socket.isPaused()) body.heldBackMs += sweepMs;
        else if (!hasTimeLeft(incoming, body, now)) {
          receiving.delete(incoming);
          sendProblem(body.response, slowRequest("body"));
          mute(body.response);
        }
      }
    },
  };
}

/** Drops what the route still answers, which nobody can get any more. */
function mute(response: ServerResponse): void {
  Object.assign(response, {
    writeHead: () => response,
    flushHeaders: () => {},
    write: () => true,
    end: () => response,
  });
}
