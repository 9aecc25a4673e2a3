import type { Address } from "viem";
import { curveProgress } from "../../domain/price.ts";
import { type CurveState, priceImpactPercent, type Swap, tradePrices } from "../../domain/quote.ts";
import { formatPrice } from "../market/price.ts";
import type { FirstBuyAnswer } from "./first-buy.routes.ts";
import { type Transaction, toSendable, toUsdFields, tradedBnb } from "./quote.mapper.ts";
import type { QuoteWarning } from "./quote.schema.ts";

type FirstBuy = {
  chainId: number;
  burnPercent: number;
  /** Wei. */
  amountIn: bigint;
  opening: CurveState;
  swap: Swap;
  /** Base units, as a limit for all of amountIn. */
  minTokensOut: bigint;
  /** USD for one BNB with 8 decimals; null without a price feed. */
  bnbUsdX8: bigint | null;
  account: Address | undefined;
  warnings: QuoteWarning[];
  /** Null if the token has no name yet. */
  transaction: Transaction | null;
};

/** Maps a first buy to its response. */
export function toFirstBuy(firstBuy: FirstBuy): FirstBuyAnswer {
  const { chainId, burnPercent, amountIn, opening, swap, bnbUsdX8, warnings, transaction } = firstBuy;
  const prices = tradePrices(opening, swap, "buy", amountIn);
  return {
    chainId,
    burnPercent,
    amountInWei: String(amountIn),
    amountOutRaw: String(swap.amountOut),
    refundWei: String(swap.refund),
    minTokensOutRaw: String(firstBuy.minTokensOut),
    priceBnb: formatPrice(prices.beforeBnbX36),
    averagePriceBnb: formatPrice(prices.averageBnbX36),
    priceAfterBnb: formatPrice(prices.afterBnbX36),
    priceImpactPercent: priceImpactPercent(opening, swap, { side: "buy", amountIn, fee: 0n }),
    ...(bnbUsdX8 === null ? {} : toUsdFields(prices, tradedBnb(swap, "buy", amountIn), bnbUsdX8)),
    progressAfterPercent: curveProgress(swap.amountOut, opening.totalToSell, swap.graduates),
    graduates: swap.graduates,
    warnings,
    transaction: transaction === null ? null : toSendable(transaction, firstBuy),
    ...(transaction === null ? { hint: "Give name and symbol to get the transaction." } : {}),
  };
}
