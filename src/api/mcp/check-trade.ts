import type { Hex } from "viem";
import type { ChainSettings } from "../../../config/env.ts";
import type { QuoteAnswer } from "../quotes/quote.schema.ts";
import { decodeCall, sameAddress } from "./decode.ts";

/** What is paid in, what comes out, and the least of it: wei of BNB, base units of the token. */
export const amountsOf = (quote: QuoteAnswer) => ({
  amountIn: quote.amountInWei ?? quote.amountInRaw ?? "0",
  amountOut: quote.amountOutRaw ?? quote.amountOutWei ?? "0",
  minAmountOut: quote.minAmountOutRaw ?? quote.minAmountOutWei ?? "0",
});

/** Why a quote's transactions are not what the quote says, by their own bytes; undefined: they are. */
export function contradictionOf(
  quote: QuoteAnswer,
  account: string,
  { launchpad }: ChainSettings,
): string | undefined {
  const { transaction, approval, side, mint, venue } = quote;
  const { amountIn, minAmountOut } = amountsOf(quote);
  if (transaction === null) return "there is no transaction";
  const call = decodeCall(transaction.data as Hex);
  if (call === undefined) return "no function of ours is called";
  const { functionName, args } = call;
  const isBuy = side === "buy";
  if (BigInt(transaction.value) !== BigInt(transaction.rpc.value)) return "the two forms differ in value";
  if (transaction.data !== transaction.rpc.data || transaction.to !== transaction.rpc.to)
    return "they differ";
  if (BigInt(transaction.value) !== (isBuy ? BigInt(amountIn) : 0n)) return "the value differs";

  const limit = BigInt(String(args.minTokensOut ?? args.minBnbOut ?? args.amountOutMin ?? 0));
  const least = BigInt(minAmountOut);
  if (limit !== least && forWhatIsTaken(limit, quote) !== least) return "the minimum differs";
  if (String(args.deadline) !== String(quote.deadline)) return "the deadline differs";
  if (!isBuy && String(args.tokenAmount ?? args.amountIn) !== amountIn) return "the amount differs";

  if (venue === "curve") {
    if (!sameAddress(transaction.to, launchpad)) return "it calls another contract";
    if (functionName !== side || !sameAddress(String(args.token), mint)) return "it trades something else";
  } else {
    const expected = isBuy ? "swapExactETHForTokens" : "swapExactTokensForETH";
    const path = args.path as string[];
    if (functionName !== expected) return "it swaps in another way";
    if (!sameAddress(isBuy ? path.at(-1) : path[0], mint)) return "it trades something else";
    if (!sameAddress(String(args.to), account)) return "the proceeds go elsewhere";
  }
  return approval === null ? undefined : approvalContradiction(approval, transaction.to, quote);
}

/** What a limit for all that is paid in comes to where the curve ends within the buy, and the rest comes back. Rounded up, as the contract does. */
function forWhatIsTaken(limit: bigint, { amountInWei = "0", refundWei }: QuoteAnswer): bigint {
  const paid = BigInt(amountInWei);
  return paid === 0n ? limit : (limit * (paid - BigInt(refundWei)) + paid - 1n) / paid;
}

type Approval = NonNullable<QuoteAnswer["approval"]>;

function approvalContradiction(approval: Approval, spender: string, quote: QuoteAnswer) {
  const { mint } = quote;
  const { amountIn } = amountsOf(quote);
  const call = decodeCall(approval.data as Hex);
  if (call?.functionName !== "approve" || !sameAddress(approval.to, mint)) return "the approval is none";
  const [approved, amount] = Object.values(call.args);
  if (!sameAddress(String(approved), spender)) return "the approval is for another contract";
  return String(amount) === amountIn && BigInt(approval.value) === 0n ? undefined : "the approval differs";
}
