import { type Address, type Hex, numberToHex } from "viem";
import { toUsd } from "../../domain/price.ts";
import type { Side, Swap, TradePrices } from "../../domain/quote.ts";
import type { Simulation } from "../chain/simulate.ts";
import { formatAmount, formatPrice } from "../market/price.ts";
import type { QuoteAnswer, QuoteWarning } from "./quote.schema.ts";

/** A transaction before it is mapped for wallets. `value` is in wei. */
export type Transaction = { to: Address; data: Hex; value: bigint; gas: number };

/** The outcome of a trade that has not been made. Amounts are in wei and base units. */
export type Quote = {
  venue: "curve" | "dex";
  swap: Swap;
  minAmountOut: bigint;
  prices: TradePrices;
  priceImpactPercent: number;
  /** In millionths of what is paid in. */
  fee: bigint;
  progressAfter: number;
  graduationExit: QuoteAnswer["graduationExit"];
  /** Null if the recipient is not known. */
  transaction: Transaction | null;
  /** The transaction to send before a sell; null for a buy. */
  approval: (Transaction & { spender: Address }) | null;
};

export type QuoteContext = {
  mint: string;
  chainId: number;
  side: Side;
  amountIn: bigint;
  /** Hundredths of a percent. */
  slippage: number;
  /** Seconds since 1970. */
  deadline: bigint;
  /** The account's token balance in base units; null if no account was given. */
  balance: string | null;
  /** USD for one BNB with 8 decimals; null without a price feed. */
  bnbUsdX8: bigint | null;
  /** The sender of the transaction, if known. */
  account: Address | undefined;
  warnings: QuoteWarning[];
  permit: QuoteAnswer["permit"];
  /** Undefined if it was not asked for. */
  simulation: Simulation | undefined;
  block: number;
};

/** Maps a quote to its response. */
export function toQuote(quote: Quote, context: QuoteContext): QuoteAnswer {
  const { venue, swap, prices, transaction } = quote;
  const { chainId, side, amountIn, balance, bnbUsdX8 } = context;
  return {
    mint: context.mint,
    chainId,
    side,
    venue,
    ...toAmounts(quote, context),
    refundWei: String(swap.refund),
    slippagePercent: context.slippage / 100,
    feePercent: Number(quote.fee) / 10_000,
    priceBnb: formatPrice(prices.beforeBnbX36),
    averagePriceBnb: formatPrice(prices.averageBnbX36),
    priceAfterBnb: formatPrice(prices.afterBnbX36),
    priceImpactPercent: quote.priceImpactPercent,
    ...(bnbUsdX8 === null ? {} : toUsdFields(prices, tradedBnb(swap, side, amountIn), bnbUsdX8)),
    progressAfterPercent: quote.progressAfter,
    graduates: swap.graduates,
    graduationExit: quote.graduationExit,
    block: context.block,
    deadline: Number(context.deadline),
    ...(balance === null ? {} : { accountBalanceRaw: balance }),
    warnings: context.warnings,
    ...(context.simulation === undefined ? {} : { simulation: context.simulation }),
    transaction: transaction === null ? null : toSendable(transaction, context),
    ...(transaction === null ? { hint: noRecipient } : {}),
    approval: quote.approval === null ? null : toSendable(quote.approval, context),
    permit: context.permit,
  };
}

function toAmounts({ swap, minAmountOut }: Quote, { side, amountIn }: QuoteContext) {
  const [paid, received, minimum] = [String(amountIn), String(swap.amountOut), String(minAmountOut)];
  return side === "buy"
    ? { amountInWei: paid, amountOutRaw: received, minAmountOutRaw: minimum }
    : { amountInRaw: paid, amountOutWei: received, minAmountOutWei: minimum };
}

type Sending = { chainId: number; account: Address | undefined };

/** Maps a transaction to the form that a wallet signs. */
export function toSendable<Sent extends Transaction>(sent: Sent, { chainId, account }: Sending) {
  return { ...sent, value: String(sent.value), chainId, rpc: toRpc(sent, chainId, account) };
}

function toRpc({ to, data, value, gas }: Transaction, chainId: number, from: Address | undefined) {
  return {
    ...(from === undefined ? {} : { from }),
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(gas),
    chainId: numberToHex(chainId),
  };
}

const noRecipient = "Give account, which receives the proceeds, to get the transaction.";

export function tradedBnb({ amountOut, refund }: Swap, side: Side, amountIn: bigint): bigint {
  return side === "buy" ? amountIn - refund : amountOut;
}

type UsdFields = Pick<QuoteAnswer, "amountUsd" | "priceUsd" | "averagePriceUsd" | "priceAfterUsd">;

/** @param bnb the wei paid or received */
export function toUsdFields(
  { beforeBnbX36, averageBnbX36, afterBnbX36 }: TradePrices,
  bnb: bigint,
  bnbUsdX8: bigint,
): UsdFields {
  const usd = (amount: bigint) => String(toUsd(amount, bnbUsdX8));
  return {
    amountUsd: formatAmount(usd(bnb)),
    priceUsd: formatPrice(usd(beforeBnbX36)),
    averagePriceUsd: formatPrice(usd(averageBnbX36)),
    priceAfterUsd: formatPrice(usd(afterBnbX36)),
  };
}
