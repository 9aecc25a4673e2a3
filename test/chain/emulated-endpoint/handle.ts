import { setTimeout as delay } from "node:timers/promises";
import type { Counts, NoteBytes } from "./counts.ts";
import { createBucket, tooManyRequests } from "./rate-limit.ts";
import { brokenReply, type NoReply, type Reply } from "./reply.ts";
import { type Behind, type Request, respond } from "./respond.ts";

type Handled = { reply: Reply | NoReply; noteBytes: NoteBytes };

export type Handle = (request: Request, answer?: () => Reply) => Promise<Handled>;

type Options = Behind & { counts: Counts };

/** Counts requests and makes them fail or wait. Those that get through are answered by `answer`, or by the node. */
export function createRequestHandler({ counts, ...behind }: Options): Handle {
  const { settings } = behind;
  const bucket = createBucket();
  let due = 0;

  /** Breakage is spread evenly: with a share of 0.25, every fourth request fails. */
  function isBroken(): boolean {
    due += settings.breakageShare;
    if (due < 1) return false;
    due -= 1;
    return true;
  }

  return async (request, answer) => {
    const { calls, isBatch } = request;
    const noteBytes = counts.request(calls, request.body.length);
    const seconds = bucket.take(calls.length, settings.requestsPerSecond);
    if (settings.latencyMs > 0) await delay(settings.latencyMs);
    if (seconds > 0) {
      counts.refused(calls);
      return { reply: tooManyRequests(calls, isBatch, seconds, settings.rateLimitAnswer), noteBytes };
    }
    if (settings.breakage !== undefined && isBroken()) {
      return { reply: brokenReply(settings.breakage), noteBytes };
    }
    return { reply: answer?.() ?? (await respond(request, behind)), noteBytes };
  };
}
