import type { Address, Hex } from "viem";
import type { ChainSettings } from "../../../config/env.ts";
import { maxUint256, minBigint } from "../../domain/amounts.ts";
import { curveProgress } from "../../domain/price.ts";
import {
  maxAmountIn,
  minAmountOut,
  priceImpactPercent,
  quoteOnCurve,
  quoteOnPair,
  type Reserves,
  type Side,
  type Swap,
  tradePrices,
} from "../../domain/quote.ts";
import type { ReadDexTerms } from "../chain/dex-terms.ts";
import type { QuoteStateRow } from "../market/quote-state.query.ts";
import { graduationExit, toCurveState, toPairState } from "../market/quote-state.ts";
import type { ReadOpeningTerms } from "./opening-terms.ts";
import type { Quote } from "./quote.mapper.ts";
import { dexNotSupported, invalidRecipient, notTradable } from "./refusals.ts";
import { approvalTransaction, curveTransaction, dexTransaction } from "./transaction.ts";

export type QuoteRequest = {
  mint: Address;
  side: Side;
  amountIn: bigint;
  /** Hundredths of a percent. */
  slippage: number;
  /** Seconds since 1970. */
  deadline: bigint;
  account: Address | undefined;
  /** Of a permit that replaces the approval of a sell on the curve. */
  signature?: Hex | undefined;
};

type QuoteDeps = {
  chain: ChainSettings;
  readDexTerms: ReadDexTerms;
  readOpeningTerms: ReadOpeningTerms;
};

type Market = { venue: "curve" | "dex"; before: Reserves; swap: Swap; fee: bigint };

/**
 * Quotes a trade on the curve or, once the token has graduated, on its DEX pair. Throws a problem (422) if the trade can't
 * be made, and (503) if the chain has to be asked for its DEX, or for how its launchpad interprets limits, and does not
 * answer.
 */
export async function quoteTrade(
  { chain, readDexTerms, readOpeningTerms }: QuoteDeps,
  row: QuoteStateRow,
  request: QuoteRequest,
): Promise<Quote> {
  return row.graduated
    ? await quoteDexTrade(chain, row, request, readDexTerms)
    : await quoteCurveTrade(chain, row, request, readOpeningTerms);
}

async function quoteCurveTrade(
  chain: ChainSettings,
  row: QuoteStateRow,
  request: QuoteRequest,
  readOpeningTerms: ReadOpeningTerms,
): Promise<Quote> {
  const { launchpad } = chain;
  const { mint, side, amountIn } = request;
  const curve = toCurveState(row);
  const swap = row.opened_block === null ? "no_liquidity" : quoteOnCurve(curve, side, amountIn);
  if (typeof swap === "string")
    throw notTradable(swap, { venue: "curve", mint, side, maxAmount: curve.tokensSold });

  const { tokensSold, totalToSell } = curve;
  const soldAfter = side === "buy" ? tokensSold + swap.amountOut : tokensSold - amountIn;
  const terms = toTerms({ venue: "curve", before: curve, swap, fee: 0n }, request);
  // An earlier launchpad has no opening terms, and applies limits to the tokens of a buy as they are. Any burn percent will do.
  const isPriceLimit = swap.refund > 0n && (await readOpeningTerms(chain, 50)) !== null;
  const minAmountOut = isPriceLimit
    ? limitForFullAmount(terms.minAmountOut, amountIn, swap.refund)
    : terms.minAmountOut;
  return {
    ...terms,
    progressAfter: curveProgress(soldAfter, totalToSell, swap.graduates),
    graduationExit: swap.graduates ? graduationExit(row) : null,
    transaction: curveTransaction(launchpad, { ...request, minAmountOut }),
    approval: request.signature === undefined ? approvalFor(request, launchpad) : null,
  };
}

async function quoteDexTrade(
  chain: ChainSettings,
  row: QuoteStateRow,
  request: QuoteRequest,
  readDexTerms: ReadDexTerms,
): Promise<Quote> {
  const { mint, side, amountIn, account } = request;
  const dex = await readDexTerms(chain);
  if (dex === null) throw dexNotSupported(chain);
  const contracts = [mint, dex.wbnb, dex.router, chain.launchpad, row.pair, nobody];
  if (account !== undefined && contracts.includes(account)) throw invalidRecipient();

  const pair = toPairState(row, dex.fee);
  const swap = quoteOnPair(pair, side, amountIn);
  if (typeof swap === "string")
    throw notTradable(swap, { venue: "dex", mint, side, maxAmount: maxAmountIn(pair, side) });

  const terms = toTerms({ venue: "dex", before: pair, swap, fee: dex.fee }, request);
  const trade = { ...request, minAmountOut: terms.minAmountOut };
  return {
    ...terms,
    progressAfter: curveProgress(0n, 0n, true),
    graduationExit: null,
    transaction: account === undefined ? null : dexTransaction(dex, account, trade),
    approval: approvalFor(request, dex.router),
  };
}

const nobody: Address = `0x${"0".repeat(40)}`;

function toTerms({ venue, before, swap, fee }: Market, { side, amountIn, slippage }: QuoteRequest) {
  return {
    venue,
    swap,
    fee,
    minAmountOut: minAmountOut(swap.amountOut, slippage),
    prices: tradePrices(before, swap, side, amountIn),
    priceImpactPercent: priceImpactPercent(before, swap, { side, amountIn, fee }),
  };
}

function approvalFor({ mint, side, amountIn }: QuoteRequest, spender: Address): Quote["approval"] {
  return side === "sell" ? { ...approvalTransaction(mint, spender, amountIn), spender } : null;
}

/**
 * Scales `minAmountOut` to the limit that a buy on the curve must carry. The contract understands a limit as one for all of
 * the BNB sent, and, if the curve ends within the buy, applies the share of it that is paid: here exactly `minAmountOut`.
 *
 * @param amountIn in wei
 * @param refund the wei of amountIn that are refunded; less than all of it
 */
export function limitForFullAmount(minAmountOut: bigint, amountIn: bigint, refund: bigint): bigint {
  return minBigint((minAmountOut * amountIn) / (amountIn - refund), maxUint256);
}
