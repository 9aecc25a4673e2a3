import { type AskedTrade, findTransactionContradiction, tradeCalls } from "../../../client/src/index.ts";
import { coin, readContracts } from "../data/chain.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { asUsd } from "../parts/amount.tsx";
import { StoppedWaiting } from "../wallet/ask-owner.ts";
import { askWallet, assertAsAsked, assertOnChain, latestBlockTime, readRouter } from "../wallet/chain.ts";
import { connected } from "../wallet/connection.ts";
import { explain, isRejection, Refusal } from "../wallet/explain.ts";
import type { Provider } from "../wallet/providers.ts";
import { assertAccount, runTransaction, type StatusSignal } from "../wallet/run-steps.ts";
import { signTypedData } from "../wallet/signing.ts";
import type { Receipt, RpcTransaction } from "../wallet/transaction.ts";
import type { TokenDetails } from "./data.ts";
import { fillOf } from "./fill.ts";
import type { Quote } from "./use-quote.ts";

/** sellWithPermit(address,uint256,uint256,uint256,uint8,bytes32,bytes32): the arguments of sell, and a signature. */
const sellWithPermit = "0x4c33aa2e";
/** 250,000: recovering the signer comes on top of a sale. */
const permitSellGas = "0x3d090";

const permitType = {
  owner: "address",
  spender: "address",
  value: "uint256",
  nonce: "uint256",
  deadline: "uint256",
};

/**
 * Replaces the approval of a sale on the curve by the account's signature of a permit (ERC-2612), whose every value but the nonce is
 * the visitor's own. Resolves to the quote as it is if it offers none, or if the account can't sign it: a contract, or one whose
 * wallet doesn't sign typed data. Throws if the visitor rejects it, or stops waiting for it.
 */
async function withPermit(
  status: StatusSignal,
  quote: Quote,
  { mint, account, amountIn, chainId }: Order,
  { provider, launchpad }: { provider: Provider; launchpad: string },
): Promise<Quote> {
  const { transaction, permit, deadline } = quote;
  if (permit === null || transaction === null) return quote;
  if (await isContract(provider, account)) return quote;
  const message = {
    owner: account,
    spender: launchpad,
    value: String(amountIn),
    nonce: permit.message.nonce,
    deadline: String(deadline),
  };
  const domain = { name: "Launchpad Token", version: "1", chainId, verifyingContract: mint };
  const fields = Object.entries(permitType).map(([name, type]) => ({ name, type }));
  const typed = { domain, types: { Permit: fields }, primaryType: "Permit", message };
  const signature = await signTypedData(status, provider, account, typed).catch((error: unknown) => {
    if (isRejection(error) || error instanceof StoppedWaiting) throw error;
  });
  const [, r, s, last = ""] = /^0x(.{64})(.{64})(..)$/.exec(signature ?? "") ?? [];
  const parity = Number(`0x${last}`) % 27;
  // A contract's signature is of another kind.
  if (r === undefined || parity > 1) return quote;
  const v = (27 + parity).toString(16).padStart(64, "0");
  const data = `${sellWithPermit}${transaction.data.slice(10)}${v}${r}${s}`;
  const rpc = { ...transaction.rpc, data, gas: permitSellGas };
  return { ...quote, transaction: { ...transaction, data, rpc }, approval: null };
}

/** Whether an account is a contract, which has no key. One that delegates to a contract (EIP-7702) has. */
async function isContract(provider: Provider, account: string): Promise<boolean> {
  const code = await askWallet(provider, "eth_getCode", [account, "latest"]);
  return typeof code === "string" && code.length > 2 && !code.startsWith("0xef0100");
}

/** The service gives a transaction 20 minutes. Clocks differ. */
const maxDeadlineSeconds = 3_600;

/** What the visitor asked for, from the page's own state and not from the quote. */
type Order = Omit<AskedTrade, "latestDeadline"> & { chainId: 56 | 97 };

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
      agreed = await withPermit(status, quote, order, { provider, launchpad });
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
  assertAsAsked(findTransactionContradiction(quote, { ...order, latestDeadline }, contracts));
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

/** What the outcome of a token's trade is told with. */
type TradedToken = Pick<
  TokenDetails,
  "mint" | "symbol" | "launchpadAddress" | "pair" | "priceBnb" | "priceUsd"
>;

/** What a trade paid and brought, at which price. */
export function outcomeText(receipt: Receipt, side: "buy" | "sell", token: TradedToken): string {
  const { mint, launchpadAddress: launchpad, pair } = token;
  const fill = fillOf(receipt.logs, { mint, side, launchpad, pair });
  if (fill === undefined || fill.tokens === 0n) return t.trade.done[side];
  const [bnb, tokens] = [Number(fromUnits(fill.bnb)), Number(fromUnits(fill.tokens))];
  const rate = Number(token.priceUsd) / Number(token.priceBnb);
  const usd = Number.isFinite(rate) ? ` (${asUsd(bnb * rate)})` : "";
  const text = side === "buy" ? t.trade.bought : t.trade.sold;
  return text(
    `${formatNumber(tokens)} ${displaySymbol(token.symbol)}`,
    `${formatNumber(bnb)} ${coin.peek()}${usd}`,
    `${formatNumber(bnb / tokens)} ${coin.peek()}`,
  );
}
