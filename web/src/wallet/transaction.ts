import { assertOnChain, assertSameNetwork } from "./chain.ts";
import type { Provider } from "./providers.ts";
import { findReplacement, isCancel, isSame, type SentTransaction } from "./replacement.ts";

/** A transaction in the form that wallets take. */
export type RpcTransaction = { to: string; data: string; value: string; gas?: string; from?: string };

export type Receipt = {
  status: string;
  transactionHash: string;
  blockNumber: string;
  logs: { address: string; topics: string[]; data: string }[];
};

/**
 * How a transaction ended. `cancelled` and `replaced` mean that another one with the same nonce was mined in its place; `hash` is then
 * that of the other one, if it was found. A replacement that does the same with a higher fee is followed instead.
 */
export type Outcome =
  | { kind: "mined" | "reverted"; receipt: Receipt; hash: string }
  | { kind: "cancelled" | "replaced"; hash: string | undefined };

/** How often the receipt is requested. */
const pollMs = 1_000;

/** A transaction with the account and the chain that it was made for. */
export type Sending = { call: RpcTransaction; from: string; chainId: number };

/** Asks the wallet to sign and send a transaction. Resolves to its hash. */
export async function sendTransaction(provider: Provider, { call, from, chainId }: Sending): Promise<string> {
  await assertOnChain(provider, chainId);
  await assertSameNetwork(provider, call.to);
  const { to, data, value, gas } = call;
  // Wallets refuse a transaction for another chain than theirs.
  const sent = { from, to, data, value, chainId: `0x${chainId.toString(16)}` };
  const params = [gas === undefined ? sent : { ...sent, gas }];
  return (await provider.request({ method: "eth_sendTransaction", params })) as string;
}

/** Waits until a transaction is mined, or can't be mined any more. */
export async function waitForOutcome(provider: Provider, firstHash: string, from: string): Promise<Outcome> {
  let hash = firstHash;
  // A wallet that can't be reached at the moment is asked again by the loop.
  const ask = (method: string, params: unknown[]) =>
    provider.request({ method, params }).catch(() => undefined);
  let sent: SentTransaction | undefined;
  for (;;) {
    const receipt = (await ask("eth_getTransactionReceipt", [hash])) as Receipt | null | undefined;
    if (receipt !== null && receipt !== undefined) {
      return { kind: Number(receipt.status) === 1 ? "mined" : "reverted", receipt, hash };
    }
    const known = (await ask("eth_getTransactionByHash", [hash])) as SentTransaction | null | undefined;
    if (known?.nonce !== undefined) sent = known;
    if (known === null && sent !== undefined) {
      const mined = await ask("eth_getTransactionCount", [from, "latest"]);
      // Either it has just been mined, or another transaction used its nonce.
      const late = (await ask("eth_getTransactionReceipt", [hash])) as Receipt | null | undefined;
      if (late === null && typeof mined === "string" && Number(mined) > Number(sent.nonce)) {
        const other = await findReplacement(ask, from, sent.nonce);
        if (other === undefined) return { kind: "replaced", hash: undefined };
        if (!isSame(other, sent))
          return { kind: isCancel(other) ? "cancelled" : "replaced", hash: other.hash };
        hash = other.hash;
        continue;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
