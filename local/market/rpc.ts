/** One JSON-RPC call: method and parameters. */
export type RpcCall = [method: string, params?: unknown[]];

export type Rpc = <Results extends unknown[] = unknown[]>(calls: RpcCall[]) => Promise<Results>;

/**
 * A JSON-RPC client that sends calls in one batch, so that thousands of transactions take seconds. The node may run the calls
 * of a batch concurrently: a call that depends on another must be in a later batch. Throws the first error of the batch.
 */
export function createRpc(url: string): Rpc {
  return async <Results extends unknown[]>(calls: RpcCall[]) => {
    if (calls.length === 0) return [] as unknown[] as Results;
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(
        calls.map(([method, params = []], id) => ({ jsonrpc: "2.0", id, method, params })),
      ),
      redirect: "error",
      signal: AbortSignal.timeout(30_000),
    });
    const answers = (await response.json()) as {
      id: number;
      result?: unknown;
      error?: { message: string };
    }[];
    answers.sort((left, right) => left.id - right.id);
    for (const { id, error } of answers) {
      if (error !== undefined) throw new Error(`${calls[id]?.[0]}: ${error.message}`);
    }
    return answers.map(({ result }) => result) as Results;
  };
}
