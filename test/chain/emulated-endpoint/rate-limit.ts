import { answerTo, type Call } from "./json-rpc.ts";
import type { Reply } from "./reply.ts";
import type { EndpointSettings } from "./settings.ts";

/** A token bucket that holds the requests of one second. */
export function createBucket() {
  let tokens = Number.POSITIVE_INFINITY;
  let filledAt = performance.now();

  return {
    /** Returns the seconds until there are enough tokens: 0 where there are, which are taken then. */
    take(wanted: number, perSecond: number): number {
      const now = performance.now();
      tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1_000) * perSecond);
      filledAt = now;
      // Infinity less infinity is no number.
      if (perSecond === Number.POSITIVE_INFINITY) return 0;
      if (tokens < wanted) return (wanted - tokens) / perSecond;
      tokens -= wanted;
      return 0;
    },
  };
}

/** What a client gets that asks too often, and may ask again after so many seconds. */
export function tooManyRequests(
  calls: readonly Call[],
  isBatch: boolean,
  seconds: number,
  how: EndpointSettings["rateLimitAnswer"],
): Reply {
  if (how === "JSON-RPC error") {
    const error = { code: -32005, message: "rate limit exceeded" };
    const answers = calls.map((call) => answerTo(call, { error }));
    return { status: 200, body: JSON.stringify(isBatch ? answers : answers[0]) };
  }
  return {
    status: 429,
    headers: how === "429 with Retry-After" ? { "retry-after": String(Math.ceil(seconds)) } : {},
    body: '{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"Too Many Requests"}}',
  };
}
