import { answerTo, type Call, logFilterOf, type Reply, type RpcError } from "./json-rpc.ts";
import type { EndpointSettings } from "./settings.ts";

/** Returns the error for a batch with too many calls, as dRPC words it. */
export const batchError = ({ batchSize }: Pick<EndpointSettings, "batchSize">): RpcError => ({
  code: 31,
  message: `Batch of more than ${batchSize} requests are not allowed on free tier, to use this feature register paid account`,
});

/** Returns the error for an eth_getLogs with too many blocks or addresses, or without any, worded as providers do. */
export function limitError(
  call: Call,
  {
    blockRange,
    addresses,
    needsAddress,
  }: Pick<EndpointSettings, "blockRange" | "addresses" | "needsAddress">,
): RpcError | undefined {
  const filter = logFilterOf(call);
  if (filter === undefined) return undefined;
  if (needsAddress && filter.address === undefined) {
    const message =
      "Please specify an address in your request or, to remove restrictions, order a dedicated full node";
    return { code: -32701, message };
  }
  const blocks = Number(filter.toBlock) - Number(filter.fromBlock) + 1;
  if (blocks > blockRange) {
    return { code: -32005, message: `query exceeds max block range ${blockRange}` };
  }
  if (Array.isArray(filter.address) && filter.address.length > addresses) {
    return { code: -32602, message: `too many addresses in the filter, max ${addresses}` };
  }
  return undefined;
}

const readsState = /^eth_(call|getBalance|getCode)$/;

/** Returns the error for a call at a block whose state the node has deleted, as geth words it. */
export function stateError(
  { method, params }: Call,
  { states }: Pick<EndpointSettings, "states">,
  head: number,
): RpcError | undefined {
  const block = readsState.test(method) ? Number(params?.[1]) : Number.NaN;
  if (!Number.isFinite(states) || !(block <= head - states)) return undefined;
  const message = `missing trie node ${"5b".repeat(32)} (path ) state 0x${"c4".repeat(32)} is not available, not found`;
  return { code: -32000, message };
}

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
