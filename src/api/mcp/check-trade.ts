import type { Hex } from "viem";
import type { ChainSettings } from "../../../config/env.ts";
import type { QuoteAnswer } from "../quotes/quote.schema.ts";
import { decodeCall, sameAddress } from "./decode.ts";

/** What is paid in, what comes out, and the minimum that must: in wei of BNB and base units of the token. */
export const quoteAmounts = (quote: QuoteAnswer) => ({
  amountIn: quote.amountInWei ?? quote.amountInRaw ?? "0",
  amountOut: quote.amountOutRaw ?? quote.amountOutWei ?? "0",
  minAmountOut: quote.minAmountOutRaw ?? quote.minAmountOutWei ?? "0",
});

type RequestedTrade = { mint: string; side: "buy" | "sell"; amountIn: bigint; account: string };
type Where = Pick<ChainSettings, "id" | "launchpad">;
/** A transaction in the form in which tools return it. */
type RpcTransaction = NonNullable<QuoteAnswer["transaction"]>["rpc"];

/**
 * Says how the bytes of a quote's transactions differ from what was requested and quoted. Returns undefined if they
 * don't.
 */
export function findContradiction(
  quote: QuoteAnswer,
  asked: RequestedTrade,
  chain: Where,
): string | undefined {
  const { transaction, approval, side, mint, venue } = quote;
  const { amountIn, minAmountOut } = quoteAmounts(quote);
  const isRequested =
    side === asked.side && sameAddress(mint, asked.mint) && amountIn === String(asked.amountIn);
  if (!isRequested) return "the quote is for another trade";
  if (transaction === null) return "there is no transaction";
  const sent = transaction.rpc;
  const isBuy = side === "buy";
  const wrapped = findEnvelopeContradiction(sent, { asked, chain, value: isBuy ? asked.amountIn : 0n });
  if (wrapped !== undefined) return wrapped;

  const call = decodeCall(sent.data as Hex);
  if (call === undefined) return "it calls no function of the launchpad or the DEX router";
  const { functionName, args } = call;
  const limit = BigInt(String(args.minTokensOut ?? args.minBnbOut ?? args.amountOutMin ?? 0));
  const least = BigInt(minAmountOut);
  if (limit !== least && limitWithoutRefund(limit, quote) !== least) return "the minimum differs";
  if (String(args.deadline) !== String(quote.deadline)) return "the deadline differs";
  if (!isBuy && String(args.tokenAmount ?? args.amountIn) !== amountIn) return "the amount differs";

  if (venue === "curve") {
    if (!sameAddress(sent.to, chain.launchpad)) return "it calls another contract";
    if (functionName !== side || !sameAddress(String(args.token), mint)) return "it trades something else";
  } else {
    const expected = isBuy ? "swapExactETHForTokens" : "swapExactTokensForETH";
    const path = args.path as string[];
    if (functionName !== expected || path.length !== 2) return "it swaps in another way";
    if (!sameAddress(isBuy ? path[1] : path[0], mint)) return "it trades something else";
    if (!sameAddress(String(args.to), asked.account)) return "the proceeds go elsewhere";
  }
  if (isBuy !== (approval === null)) return "it has an unneeded approval or lacks one";
  return approval === null ? undefined : findApprovalContradiction(approval.rpc, sent.to, { asked, chain });
}

type Given = { asked: RequestedTrade; chain: Where };

function findEnvelopeContradiction(sent: RpcTransaction, { asked, chain, value }: Given & { value: bigint }) {
  if (BigInt(sent.chainId) !== BigInt(chain.id)) return "it is for another chain";
  if (!sameAddress(sent.from, asked.account)) return "it is for another account";
  return BigInt(sent.value) === value ? undefined : "the value differs";
}

/**
 * Scales a limit for all that is paid in to the part that is not refunded, if the curve ends within the buy. Rounded
 * up, as in the contract.
 */
function limitWithoutRefund(limit: bigint, { amountInWei = "0", refundWei }: QuoteAnswer): bigint {
  const paid = BigInt(amountInWei);
  return paid === 0n ? limit : (limit * (paid - BigInt(refundWei)) + paid - 1n) / paid;
}

function findApprovalContradiction(sent: RpcTransaction, spender: string, given: Given): string | undefined {
  const call = decodeCall(sent.data as Hex);
  if (call?.functionName !== "approve" || !sameAddress(sent.to, given.asked.mint)) {
    return "the approval does not approve the token";
  }
  const [approved, amount] = Object.values(call.args);
  if (!sameAddress(String(approved), spender)) return "the approval is for another contract";
  if (amount !== given.asked.amountIn) return "the approval differs";
  return findEnvelopeContradiction(sent, { ...given, value: 0n });
}
