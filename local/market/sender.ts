import { type Address, numberToHex } from "viem";
import type { Transaction } from "./actions.ts";
import type { Rpc, RpcCall } from "./rpc.ts";

/** Hands transactions to the node, in one batch. */
export type Sender = (transactions: Transaction[]) => Promise<void>;

/**
 * Numbers the transactions of each account itself: the node works on a batch in parallel, so that two
 * transactions of one account would race for the same nonce.
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
      // Which of them the node took is not known any more, so it is asked again.
      for (const { from } of transactions) nonces.delete(from);
      throw error;
    }
  };
}
