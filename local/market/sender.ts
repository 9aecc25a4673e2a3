import { type Address, numberToHex } from "viem";
import type { Transaction } from "./actions.ts";
import type { Rpc, RpcCall } from "./rpc.ts";

/** Sends transactions to the node in one batch. */
export type Sender = (transactions: Transaction[]) => Promise<void>;

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
