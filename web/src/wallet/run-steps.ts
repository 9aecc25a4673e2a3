import { signal } from "@preact/signals";
import { chainName } from "../data/chain.ts";
import { t } from "../language/messages.ts";
import { askOwner, StoppedWaiting } from "./ask-owner.ts";
import { account, connected } from "./connection.ts";
import { explain, Refusal } from "./explain.ts";
import type { Provider } from "./providers.ts";
import {
  assertSendable,
  type Receipt,
  type Sending,
  type Sent,
  sendTransaction,
  waitForOutcome,
} from "./transaction.ts";

/** The state of a transaction, in words. `stopWaiting` is there while the wallet's owner is asked. */
export type Status =
  | { kind: "idle" }
  | { kind: "working"; text: string; hash?: string; stopWaiting?: () => void }
  | { kind: "done"; text: string; hash?: string }
  | { kind: "failed"; text: string; hash?: string };

/** What a transaction does. */
type Action = keyof typeof t.transaction.actions;

export const createStatus = () => signal<Status>({ kind: "idle" });

export type StatusSignal = ReturnType<typeof createStatus>;

/**
 * Asks the wallet to send a transaction and follows it. Resolves to the receipt, or to undefined if it failed; the status says why.
 *
 * @param onHash called with the hash once it is sent, and with undefined if it is lost, or if the visitor stops waiting for the wallet
 * @param onLate called with the hash if it is sent after that; unless it returns true, the status tells of that transaction
 */
export async function runTransaction(
  status: StatusSignal,
  action: Action,
  sending: Sending,
  { onHash = () => {}, onLate }: { onHash?: OnHash; onLate?: (hash: string) => boolean } = {},
): Promise<Receipt | undefined> {
  const provider = connected.peek()?.provider;
  if (provider === undefined) {
    status.value = { kind: "failed", text: t.transaction.notConnected };
    return undefined;
  }
  // With this wallet and account, whatever it is connected to by now.
  const { from, chainId } = sending;
  const followed = { provider, from, chainId, onHash };
  const tellLate = (hash: string) => {
    if (!onLate?.(hash)) void followLate(status, action, { ...followed, hash, onHash() {} });
  };
  let hash: string;
  try {
    status.value = { kind: "working", text: t.transaction.confirm(t.transaction.actions[action]) };
    assertAccount(from);
    await assertSendable(provider, sending);
    hash = await askOwner(status, () => sendTransaction(provider, sending), tellLate);
    onHash(hash);
  } catch (error) {
    if (error instanceof StoppedWaiting) onHash(undefined);
    status.value = { kind: "failed", text: explain(error) };
    return undefined;
  }
  return await follow(status, action, { ...followed, hash });
}

/** Tells of a transaction that was sent after the visitor had stopped waiting for it, once nothing else is told of. */
async function followLate(status: StatusSignal, action: Action, followed: Followed): Promise<void> {
  // Of several, each waits for the one before.
  while (status.peek().kind === "working") {
    await new Promise<void>((resolve) => {
      const stop = status.subscribe(({ kind }) => {
        if (kind === "working") return;
        stop();
        resolve();
      });
    });
  }
  const receipt = await follow(status, action, followed);
  if (receipt === undefined) return;
  const text = t.transaction.late(t.transaction.actions[action]);
  status.value = { kind: "done", text, hash: receipt.transactionHash };
}

/** Throws unless the wallet is still on this account. The proceeds of a trade on the DEX would go to the one that it was quoted for. */
export function assertAccount(address: string): void {
  const current = account.peek();
  if (current === address) return;
  throw new Refusal(current === undefined ? t.transaction.notConnected : t.transaction.otherAccount);
}

/** Follows a transaction that the connected account sent earlier. Resolves as {@link runTransaction} does. */
export async function followTransaction(
  status: StatusSignal,
  action: Action,
  sent: Omit<Sent, "from">,
  onHash: OnHash,
): Promise<Receipt | undefined> {
  const provider = connected.peek()?.provider;
  const from = account.peek();
  if (provider === undefined || from === undefined) return undefined;
  return await follow(status, action, { provider, ...sent, from, onHash });
}

type OnHash = (hash: string | undefined) => void;

type Followed = Sent & { provider: Provider; onHash: OnHash };

async function follow(
  status: StatusSignal,
  action: Action,
  { provider, onHash, ...sent }: Followed,
): Promise<Receipt | undefined> {
  const { hash } = sent;
  const waiting = t.transaction.waiting(t.transaction.actions[action]);
  const elsewhere = `${waiting} ${t.transaction.switchTo(chainName(sent.chainId))}`;
  const note = (isElsewhere: boolean) => {
    status.value = { kind: "working", text: isElsewhere ? elsewhere : waiting, hash };
  };
  note(false);
  const outcome = await waitForOutcome(provider, sent, note);
  if (outcome.kind === "mined") return outcome.receipt;
  if (outcome.kind === "lost") onHash(undefined);
  const text = t.transaction[outcome.kind](t.transaction.actions[action]);
  status.value = { kind: "failed", text, hash: outcome.hash ?? hash };
  return undefined;
}
