import { type Address, type Hex, numberToHex } from "viem";
import type { Side, Swap } from "../../curve/quote.ts";
import type { TradePrices } from "../../curve/quote-terms.ts";
import { toUsd } from "../../curve/usd.ts";
import { formatPrice, wholeUnits } from "../market/price.ts";
import type { QuoteAnswer, QuoteWarning } from "./quote.schema.ts";

/** What a wallet needs to know. Value in wei. */
export type Transaction = { to: Address; data: Hex; value: bigint; gas?: number };

/** A trade that has not been made. Amounts in wei and base units. */
export type Quote = {
  venue: "curve" | "dex";
  swap: Swap;
  minAmountOut: bigint;
  prices: TradePrices;
  priceImpactPercent: number;
  /** Millionths of what is paid in. */
  fee: bigint;
  progressAfter: number;
  /** Null where it isn't known who receives. */
  transaction: Transaction | null;
  /** What has to be sent before a sell. */
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
  /** The account's, where one was given. */
  balance: string | null;
  /** USD for one BNB with 8 decimals, where there is a price feed. */
  bnbUsdX8: bigint | null;
  /** Who sends the transaction, where that is known. */
  account: Address | undefined;
  warnings: QuoteWarning[];
  block: number;
};

/** Maps a quote to its response. */
export function toQuote(quote: Quote, context: QuoteContext): QuoteAnswer {
  const { venue, swap, prices, transaction } = quote;
  const { chainId, side, amountIn, balance, bnbUsdX8 } = context;
  const sendable = <Sent extends Transaction>(sent: Sent) => ({
    ...sent,
    value: String(sent.value),
    chainId,
    rpc: toRpc(sent, chainId, context.account),
  });
  return {
    mint: context.mint,
    chainId,
    side,
    venue,
    amountIn: String(amountIn),
    amountOut: String(swap.amountOut),
    refund: String(swap.refund),
    minAmountOut: String(quote.minAmountOut),
    slippagePercent: context.slippage / 100,
    feePercent: Number(quote.fee) / 10_000,
    priceBnb: formatPrice(prices.beforeX36),
    averagePriceBnb: formatPrice(prices.averageX36),
    priceAfterBnb: formatPrice(prices.afterX36),
    priceImpactPercent: quote.priceImpactPercent,
    ...(bnbUsdX8 === null ? {} : inUsd(prices, bnbTraded(swap, side, amountIn), bnbUsdX8)),
    progressAfter: quote.progressAfter,
    graduates: swap.graduates,
    block: context.block,
    deadline: Number(context.deadline),
    ...(balance === null ? {} : { accountBalance: balance }),
    warnings: context.warnings,
    transaction: transaction === null ? null : sendable(transaction),
    ...(transaction === null ? { hint: noRecipient } : {}),
    approval: quote.approval === null ? null : sendable(quote.approval),
  };
}

function toRpc({ to, data, value, gas }: Transaction, chainId: number, from: Address | undefined) {
  return {
    ...(from === undefined ? {} : { from }),
    to,
    data,
    value: numberToHex(value),
    ...(gas === undefined ? {} : { gas: numberToHex(gas) }),
    chainId: numberToHex(chainId),
  };
}

const noRecipient = "Give account, which receives what the trade brings, to get the transaction.";

function bnbTraded({ amountOut, refund }: Swap, side: Side, amountIn: bigint): bigint {
  return side === "buy" ? amountIn - refund : amountOut;
}

type UsdFields = Pick<QuoteAnswer, "amountUsd" | "priceUsd" | "averagePriceUsd" | "priceAfterUsd">;

function inUsd({ beforeX36, averageX36, afterX36 }: TradePrices, bnb: bigint, bnbUsdX8: bigint): UsdFields {
  const usd = (amount: bigint) => String(toUsd(amount, bnbUsdX8));
  return {
    amountUsd: wholeUnits(usd(bnb)),
    priceUsd: formatPrice(usd(beforeX36)),
    averagePriceUsd: formatPrice(usd(averageX36)),
    priceAfterUsd: formatPrice(usd(afterX36)),
  };
}
