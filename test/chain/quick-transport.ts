import { custom, RpcRequestError, type Transport } from "viem";
import { postJson } from "../../chain-access/endpoint/post-json.ts";

// Generous: anvil takes seconds to mine a thousand blocks on a busy machine.
const limits = { timeoutMs: 120_000, maxBytes: Number.POSITIVE_INFINITY };

/** Does the same as viem's `http` in a third of the processor time, because it doesn't use `fetch`. */
export function quickTransport(rpcUrl: string): Transport {
  const url = new URL(rpcUrl);
  let id = 0;

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    const body = { jsonrpc: "2.0", id: ++id, method, params };
    const { text } = await postJson(url, JSON.stringify(body), limits);
    const { result, error } = JSON.parse(text);
    if (error !== undefined) throw new RpcRequestError({ body, error, url: rpcUrl });
    return result;
  }
  return custom({ request });
}
