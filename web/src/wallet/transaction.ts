import { askWallet, assertOnChain, assertSameNetwork } from "./chain.ts";
import type { Provider } from "./providers.ts";

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
 * that of the other one. A replacement that does the same with a higher fee is followed instead. `lost`: the wallet's node doesn't know
 * it, or not any more, so that it may have been dropped, may still be mined, or was replaced by one that can't be found.
 */
export type Outcome =
  | { kind: "mined" | "reverted"; receipt: Receipt; hash: string }
  | { kind: "cancelled" | "replaced" | "lost"; hash: string | undefined };

/** How often the receipt is requested. */
const pollMs = 1_000;

/** A transaction that the wallet's node hasn't known so many times in a row is given up. Private nodes show none before it is mined. */
const maxUnknown = 180;

/** A question that a wallet hasn't answered by then is asked again. */
const maxAnswerMs = 5_000;

const delay = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));

/** A transaction with the account and the chain that it was made for. */
export type Sending = { call: RpcTransaction; from: string; chainId: number };

/** Throws unless the wallet is where a transaction is meant for. */
export async function assertSendable(provider: Provider, { call, chainId }: Sending): Promise<void> {
  await assertOnChain(provider, chainId);
  await assertSameNetwork(provider, call.to);
}

/** Asks the wallet to sign and send a transaction. Resolves to its hash. */
export async function sendTransaction(provider: Provider, { call, from, chainId }: Sending): Promise<string> {
  const { to, data, value, gas } = call;
  // Wallets refuse a transaction for another chain than theirs.
  const sent = { from, to, data, value, chainId: `0x${chainId.toString(16)}` };
  const params = [gas === undefined ? sent : { ...sent, gas }];
  return (await provider.request({ method: "eth_sendTransaction", params })) as string;
}

/** A transaction that was sent, with its account and its chain. */
export type Sent = { hash: string; from: string; chainId: number };

/**
 * Waits until a transaction is mined, or can't be mined any more.
 *
 * @param onElsewhere called when the wallet turns out to be on another chain, where nothing is known of the transaction, and when it
 * is back
 */
export async function waitForOutcome(
  provider: Provider,
  { hash: firstHash, from, chainId }: Sent,
  onElsewhere: (isElsewhere: boolean) => void = () => {},
): Promise<Outcome> {
  let hash = firstHash;
  let wasElsewhere = false;
  // A wallet that can't be reached at the moment is asked again by the loop.
  const ask = (method: string, params: unknown[]) =>
    askWallet(provider, method, params, maxAnswerMs).catch(() => undefined);
  const isElsewhere = async () => {
    const chain = await ask("eth_chainId", []);
    const isNow = chain === undefined ? wasElsewhere : Number(chain) !== chainId;
    if (isNow !== wasElsewhere) onElsewhere(isNow);
    wasElsewhere = isNow;
    return isNow;
  };
  let sent: SentTransaction | undefined;
  let unknown = 0;
  for (;;) {
    const receipt = (await ask("eth_getTransactionReceipt", [hash])) as Receipt | null | undefined;
    if (receipt !== null && receipt !== undefined) {
      return { kind: Number(receipt.status) === 1 ? "mined" : "reverted", receipt, hash };
    }
    const sentTransaction = (await ask("eth_getTransactionByHash", [hash])) as
      | SentTransaction
      | null
      | undefined;
    if (sentTransaction?.nonce !== undefined) sent = sentTransaction;
    if (sentTransaction === null && (await isElsewhere())) {
      await delay(pollMs);
      continue;
    }
    unknown = sentTransaction === null ? unknown + 1 : 0;
    if (unknown > maxUnknown) return { kind: "lost", hash };
    if (sentTransaction === null && sent !== undefined) {
      const mined = await ask("eth_getTransactionCount", [from, "latest"]);
      // Either it has just been mined, or another transaction used its nonce.
      const late = (await ask("eth_getTransactionReceipt", [hash])) as Receipt | null | undefined;
      if (late === null && typeof mined === "string" && Number(mined) > Number(sent.nonce)) {
        const other = await findReplacement(ask, from, sent.nonce);
        // The account's transaction of that nonce on another chain has replaced nothing.
        if (await isElsewhere()) continue;
        // It may have done the same.
        if (other === undefined) return { kind: "lost", hash: undefined };
        if (!isSame(other, sent))
          return { kind: isCancel(other) ? "cancelled" : "replaced", hash: other.hash };
        hash = other.hash;
        continue;
      }
    }
    await delay(pollMs);
  }
}

/* Replacement transactions: a wallet sends another transaction with the same nonce and a higher fee. */

/** A transaction as nodes return it. */
type SentTransaction = {
  hash: string;
  nonce: string;
  from: string;
  to: string | null;
  input: string;
  value: string;
};

/** How far back it is looked for, in blocks: first as far as every node knows balances and nonces, then further, for a tab that slept. */
const firstSpan = 120;
const maxSpan = 1_000_000;

/** Finds the account's mined transaction with this nonce, by the block after which the account had sent more than it. */
async function findReplacement(
  ask: (method: string, params: unknown[]) => Promise<unknown>,
  from: string,
  nonce: string,
): Promise<SentTransaction | undefined> {
  const hex = (block: number) => `0x${block.toString(16)}`;
  /** Undefined if the node doesn't know it. */
  const wasSentBy = async (block: number) => {
    const count = await ask("eth_getTransactionCount", [from, hex(block)]);
    return typeof count === "string" ? Number(count) > Number(nonce) : undefined;
  };
  let last = Number(await ask("eth_blockNumber", []));
  let span = Math.min(firstSpan, last);
  let wasSent = await wasSentBy(last - span);
  while (wasSent === true && span < Math.min(maxSpan, last)) {
    last -= span;
    span = Math.min(4 * span, last);
    wasSent = await wasSentBy(last - span);
  }
  if (wasSent !== false) return undefined;
  for (let first = last - span; last - first > 1; ) {
    const middle = Math.floor((first + last) / 2);
    wasSent = await wasSentBy(middle);
    if (wasSent === undefined) return undefined;
    if (wasSent) last = middle;
    else first = middle;
  }
  const block = await ask("eth_getBlockByNumber", [hex(last), true]);
  const { transactions = [] } = (block ?? {}) as { transactions?: SentTransaction[] };
  return transactions.find((one) => one.from.toLowerCase() === from && Number(one.nonce) === Number(nonce));
}

/** Whether both transactions do the same, as when one speeds the other up. */
const isSame = (one: SentTransaction, other: SentTransaction): boolean =>
  one.to?.toLowerCase() === other.to?.toLowerCase() &&
  one.input === other.input &&
  BigInt(one.value) === BigInt(other.value);

/** Whether a transaction is a cancellation: wallets send an empty transaction to the account itself. */
const isCancel = ({ from, to, input, value }: SentTransaction): boolean =>
  to?.toLowerCase() === from.toLowerCase() && input === "0x" && BigInt(value) === 0n;
