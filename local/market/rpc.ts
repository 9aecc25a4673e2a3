import { type Address, numberToHex } from "viem";
import type { Transaction } from "./actions.ts";

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

/** Sends transactions to the node in one batch. */
type Sender = (transactions: Transaction[]) => Promise<void>;

/**
 * Assigns the nonces itself: the node processes a batch in parallel, so two transactions of one account would race for the
 * same nonce.
 */
export function createSender(rpc: Rpc): Sender {
  const nonces = new Map<Address, number>();

  return async (transactions) => {
    const unknown = [...new Set(transactions.map(({ from }) => from))].filter((from) => !nonces.has(from));
    const counts = await rpc<string[]>(
      unknown.map((from): RpcCall => ["eth_getTransactionCount", [from, "pending"]]),
    );
    for (const [index, from] of unknown.entries()) nonces.set(from, Number(counts[index]));

    const calls = transactions.map((transaction): RpcCall => {
      const nonce = nonces.get(transaction.from) ?? 0;
      nonces.set(transaction.from, nonce + 1);
      return ["eth_sendTransaction", [{ ...transaction, nonce: numberToHex(nonce) }]];
    });
    try {
      await rpc(calls);
    } catch (error) {
      // The node may have accepted some of the transactions: ask for the nonces again.
      for (const { from } of transactions) nonces.delete(from);
      throw error;
    }
  };
}
