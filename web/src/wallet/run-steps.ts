import { signal } from "@preact/signals";
import { account } from "./account.ts";
import { connected } from "./connection.ts";
import { explain, Refusal } from "./explain.ts";
import { type Receipt, type Sending, sendTransaction, waitForOutcome } from "./transaction.ts";

/** The state of a transaction, in words. */
export type Status =
  | { kind: "idle" }
  | { kind: "working"; text: string; hash?: string }
  | { kind: "done"; text: string; hash?: string }
  | { kind: "failed"; text: string; hash?: string };

export const createStatus = () => signal<Status>({ kind: "idle" });

export type StatusSignal = ReturnType<typeof createStatus>;

/** Asks the wallet to send a transaction and follows it. Resolves to the receipt, or to undefined if it failed; the status says why. */
export async function runTransaction(
  status: StatusSignal,
  what: string,
  sending: Sending,
  onSent: (hash: string) => void = () => {},
): Promise<Receipt | undefined> {
  const provider = connected.peek()?.provider;
  if (provider === undefined) {
    status.value = { kind: "failed", text: "The wallet is not connected any more." };
    return undefined;
  }
  let hash: string;
  try {
    status.value = { kind: "working", text: `Confirm the ${what} in your wallet.` };
    assertAccount(sending.from);
    hash = await sendTransaction(provider, sending);
    onSent(hash);
  } catch (error) {
    status.value = { kind: "failed", text: explain(error) };
    return undefined;
  }
  return await followTransaction(status, what, hash);
}

/** Throws unless the wallet is still on this account. The proceeds of a trade on the DEX would go to the one that it was quoted for. */
export function assertAccount(address: string): void {
  if (account.peek() === address) return;
  throw new Refusal("Nothing was sent: your wallet has changed to another account. Try again with it.");
}

/** Follows a transaction that was sent. Resolves as {@link runTransaction} does. */
export async function followTransaction(
  status: StatusSignal,
  what: string,
  hash: string,
): Promise<Receipt | undefined> {
  const provider = connected.peek()?.provider;
  const from = account.peek();
  if (provider === undefined || from === undefined) return undefined;
  status.value = { kind: "working", text: `The ${what} was sent and is waiting to be mined.`, hash };
  const outcome = await waitForOutcome(provider, hash, from);
  if (outcome.kind === "mined") return outcome.receipt;
  status.value = { kind: "failed", text: failureTexts[outcome.kind](what), hash: outcome.hash ?? hash };
  return undefined;
}

const failureTexts = {
  reverted: (what: string) =>
    `The ${what} was mined and reverted: the price moved beyond your limit, or time ran out. Only gas was spent.`,
  cancelled: (what: string) => `You cancelled the ${what} in your wallet. Only gas was spent.`,
  replaced: (what: string) =>
    `Your wallet sent another transaction in place of the ${what}, which didn't happen. Look there for what it did instead.`,
};
