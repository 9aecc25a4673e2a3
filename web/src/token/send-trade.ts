import { type AskedTrade, findContradiction, tradeCalls } from "../../../client/src/index.ts";
import { readContracts } from "../data/chain.ts";
import { assertAsAsked, latestBlockTime, readRouter } from "../wallet/chain.ts";
import { connected } from "../wallet/connection.ts";
import { explain, Refusal } from "../wallet/explain.ts";
import { runTransaction, type StatusSignal } from "../wallet/run-steps.ts";
import type { Receipt, RpcTransaction } from "../wallet/transaction.ts";
import type { Quote } from "./use-quote.ts";

/** The service gives a transaction 20 minutes. Clocks differ. */
const maxDeadlineSeconds = 3_600;

/** What the visitor asked for, from the page's own state and not from the quote. */
export type Order = Omit<AskedTrade, "latestDeadline"> & { chainId: 56 | 97 };

/**
 * Checks a quote against what was asked, then has the wallet send its transactions. Resolves to the trade's receipt, or to undefined
 * if it stopped, in which case the status says why.
 *
 * @param isShown whether the page still shows this trade: after an approval, nobody expects a sale that has left the screen
 */
export async function sendTrade(
  status: StatusSignal,
  { quote, order, isShown }: { quote: Quote; order: Order; isShown: () => boolean },
): Promise<Receipt | undefined> {
  status.value = { kind: "working", text: "Checking the transaction." };
  try {
    await check(quote, order);
  } catch (error) {
    status.value = { kind: "failed", text: explain(error) };
    return undefined;
  }
  const calls = toRpcCalls(quote);
  let receipt: Receipt | undefined;
  for (const [at, call] of calls.entries()) {
    const what = at < calls.length - 1 ? "approval" : order.side === "buy" ? "buy" : "sale";
    if (!isShown()) return undefined;
    receipt = await runTransaction(status, what, { call, from: order.account, chainId: order.chainId });
    if (receipt === undefined) return undefined;
  }
  return receipt;
}

async function check(quote: Quote, order: Order): Promise<void> {
  const provider = connected.peek()?.provider;
  const { launchpad } = await readContracts(order.chainId);
  if (provider === undefined) throw new Refusal("The wallet is no longer connected.");
  const [router, blockTime] = await Promise.all([
    quote.venue === "dex" ? readRouter(provider, launchpad) : undefined,
    latestBlockTime(provider),
  ]);
  const latestDeadline = Math.max(Math.floor(Date.now() / 1_000), blockTime) + maxDeadlineSeconds;
  const contracts = { chainId: order.chainId, launchpad, router };
  assertAsAsked(findContradiction(quote, { ...order, latestDeadline }, contracts));
}

/** The transactions of a quote: an approval if one is missing, and the trade. */
function toRpcCalls(quote: Quote): RpcTransaction[] {
  const { transaction, approval } = quote;
  if (transaction === null) return [];
  return tradeCalls(quote).length === 2 && approval !== null
    ? [approval.rpc, transaction.rpc]
    : [transaction.rpc];
}
