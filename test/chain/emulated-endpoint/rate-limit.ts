import { answerTo, type Call } from "./json-rpc.ts";
import type { Reply } from "./reply.ts";
import type { EndpointSettings } from "./settings.ts";

/** A token bucket with a capacity of one second's requests. */
export function createBucket() {
  let tokens = Number.POSITIVE_INFINITY;
  let filledAt = performance.now();

  return {
    /** Takes the tokens and returns 0 if there are enough. Otherwise returns the seconds until there will be. */
    take(wanted: number, perSecond: number): number {
      const now = performance.now();
      tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1_000) * perSecond);
      filledAt = now;
      // Infinity minus infinity is NaN.
      if (perSecond === Number.POSITIVE_INFINITY) return 0;
      if (tokens < wanted) return (wanted - tokens) / perSecond;
      tokens -= wanted;
      return 0;
    },
  };
}

/** The reply to a client that exceeds the rate, and may retry after this many seconds. */
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
