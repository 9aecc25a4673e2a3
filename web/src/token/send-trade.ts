import { type AskedTrade, findContradiction, tradeCalls } from "../../../client/src/index.ts";
import { readContracts } from "../data/chain.ts";
import { t } from "../language/messages.ts";
import { assertAsAsked, assertOnChain, latestBlockTime, readRouter } from "../wallet/chain.ts";
import { connected } from "../wallet/connection.ts";
import { explain, Refusal } from "../wallet/explain.ts";
import type { Provider } from "../wallet/providers.ts";
import { assertAccount, runTransaction, type StatusSignal } from "../wallet/run-steps.ts";
import type { Receipt, RpcTransaction } from "../wallet/transaction.ts";
import { withPermit } from "./permit.ts";
import type { Quote } from "./use-quote.ts";

/** The service gives a transaction 20 minutes. Clocks differ. */
const maxDeadlineSeconds = 3_600;

/** What the visitor asked for, from the page's own state and not from the quote. */
export type Order = Omit<AskedTrade, "latestDeadline"> & { chainId: 56 | 97 };

/**
 * Checks a quote against what was asked, then has the wallet send its transactions. Resolves to the trade's receipt, or to undefined
 * if it stopped, in which case the status says why.
 *
 * @param isShown whether the page still shows this trade: after an approval or a signature, nobody expects a sale that has left the screen
 */
export async function sendTrade(
  status: StatusSignal,
  { quote, order, isShown }: { quote: Quote; order: Order; isShown: () => boolean },
): Promise<Receipt | undefined> {
  status.value = { kind: "working", text: t.trade.checking };
  let agreed = quote;
  try {
    const { provider, launchpad } = await check(quote, order);
    if (tradeCalls(quote).length > 1 && quote.permit !== null) {
      status.value = {
        kind: "working",
        text: t.trade.signPermit,
      };
      assertAccount(order.account);
      await assertOnChain(provider, order.chainId);
      agreed = await withPermit(quote, order, { provider, launchpad });
      if (agreed !== quote) await check(agreed, order);
    }
  } catch (error) {
    status.value = { kind: "failed", text: explain(error) };
    return undefined;
  }
  const calls = toRpcCalls(agreed);
  let receipt: Receipt | undefined;
  for (const [at, call] of calls.entries()) {
    const what = at < calls.length - 1 ? "approval" : order.side === "buy" ? "buy" : "sale";
    if (!isShown()) return undefined;
    receipt = await runTransaction(status, what, { call, from: order.account, chainId: order.chainId });
    if (receipt === undefined) return undefined;
  }
  return receipt;
}

async function check(quote: Quote, order: Order): Promise<{ provider: Provider; launchpad: string }> {
  const provider = connected.peek()?.provider;
  const { launchpad } = await readContracts(order.chainId);
  if (provider === undefined) throw new Refusal(t.transaction.notConnected);
  const [router, blockTime] = await Promise.all([
    quote.venue === "dex" ? readRouter(provider, launchpad) : undefined,
    latestBlockTime(provider),
  ]);
  const latestDeadline = Math.max(Math.floor(Date.now() / 1_000), blockTime) + maxDeadlineSeconds;
  const contracts = { chainId: order.chainId, launchpad, router };
  assertAsAsked(findContradiction(quote, { ...order, latestDeadline }, contracts));
  return { provider, launchpad };
}

/** The transactions of a quote: an approval if one is missing, and the trade. */
function toRpcCalls(quote: Quote): RpcTransaction[] {
  const { transaction, approval } = quote;
  if (transaction === null) return [];
  return tradeCalls(quote).length === 2 && approval !== null
    ? [approval.rpc, transaction.rpc]
    : [transaction.rpc];
}
