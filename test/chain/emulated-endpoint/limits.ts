import { type Call, logFilterOf, type RpcError } from "./json-rpc.ts";
import type { EndpointSettings } from "./settings.ts";

/** Returns the error for a batch with too many calls, as dRPC words it. */
export const batchError = ({ batchSize }: Pick<EndpointSettings, "batchSize">): RpcError => ({
  code: 31,
  message: `Batch of more than ${batchSize} requests are not allowed on free tier, to use this feature register paid account`,
});

/** Returns the error for an eth_getLogs with too many blocks or addresses, worded as providers do. */
export function limitError(
  call: Call,
  { blockRange, addresses }: Pick<EndpointSettings, "blockRange" | "addresses">,
): RpcError | undefined {
  const filter = logFilterOf(call);
  if (filter === undefined) return undefined;
  const blocks = Number(filter.toBlock) - Number(filter.fromBlock) + 1;
  if (blocks > blockRange) {
    return { code: -32005, message: `query exceeds max block range ${blockRange}` };
  }
  if (Array.isArray(filter.address) && filter.address.length > addresses) {
    return { code: -32602, message: `too many addresses in the filter, max ${addresses}` };
  }
  return undefined;
}
