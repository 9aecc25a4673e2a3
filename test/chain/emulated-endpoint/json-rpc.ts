export type Call = { jsonrpc: "2.0"; id: number | string; method: string; params?: unknown[] };
export type RpcError = { code: number; message: string };
export type Answer = { jsonrpc: "2.0"; id: number | string | null; result?: unknown; error?: RpcError };

export const answerTo = ({ id }: Call, outcome: { result: unknown } | { error: RpcError }): Answer => ({
  jsonrpc: "2.0",
  id,
  ...outcome,
});

export type LogFilter = {
  blockHash?: string;
  fromBlock?: string;
  toBlock?: string;
  address?: string | string[];
  topics?: (string | string[] | null)[];
};

/** Returns the filter of an eth_getLogs; undefined for any other call. */
export function logFilterOf({ method, params }: Call): LogFilter | undefined {
  return method === "eth_getLogs" ? ((params?.[0] as LogFilter | undefined) ?? {}) : undefined;
}
