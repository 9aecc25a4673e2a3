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

type Asked = { mint: string; side: "buy" | "sell"; amountIn: bigint; account: string };
type Where = Pick<ChainSettings, "id" | "launchpad">;
/** A transaction in the form in which it is returned. */
type Sent = NonNullable<QuoteAnswer["transaction"]>["rpc"];

/** Why a quote's transactions, by their own bytes, are not what was asked for and quoted; undefined: they are. */
export function contradictionOf(quote: QuoteAnswer, asked: Asked, chain: Where): string | undefined {
  const { transaction, approval, side, mint, venue } = quote;
  const { amountIn, minAmountOut } = amountsOf(quote);
  const isAsked = side === asked.side && sameAddress(mint, asked.mint) && amountIn === String(asked.amountIn);
  if (!isAsked) return "the quote is for another trade";
  if (transaction === null) return "there is no transaction";
  const sent = transaction.rpc;
  const isBuy = side === "buy";
  const wrapped = envelopeContradiction(sent, { asked, chain, value: isBuy ? asked.amountIn : 0n });
  if (wrapped !== undefined) return wrapped;

  const call = decodeCall(sent.data as Hex);
  if (call === undefined) return "no function of ours is called";
  const { functionName, args } = call;
  const limit = BigInt(String(args.minTokensOut ?? args.minBnbOut ?? args.amountOutMin ?? 0));
  const least = BigInt(minAmountOut);
  if (limit !== least && forWhatIsTaken(limit, quote) !== least) return "the minimum differs";
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
  if (isBuy !== (approval === null)) return "it has an approval too many or too few";
  return approval === null ? undefined : approvalContradiction(approval.rpc, sent.to, { asked, chain });
}

type Given = { asked: Asked; chain: Where };

function envelopeContradiction(sent: Sent, { asked, chain, value }: Given & { value: bigint }) {
  if (BigInt(sent.chainId) !== BigInt(chain.id)) return "it is for another chain";
  if (!sameAddress(sent.from, asked.account)) return "it is for another account";
  return BigInt(sent.value) === value ? undefined : "the value differs";
}

/** What a limit for all that is paid in comes to where the curve ends within the buy, and the rest comes back. Rounded up, as the contract does. */
function forWhatIsTaken(limit: bigint, { amountInWei = "0", refundWei }: QuoteAnswer): bigint {
  const paid = BigInt(amountInWei);
  return paid === 0n ? limit : (limit * (paid - BigInt(refundWei)) + paid - 1n) / paid;
}

function approvalContradiction(sent: Sent, spender: string, given: Given): string | undefined {
  const call = decodeCall(sent.data as Hex);
  if (call?.functionName !== "approve" || !sameAddress(sent.to, given.asked.mint)) {
    return "the approval is none";
  }
  const [approved, amount] = Object.values(call.args);
  if (!sameAddress(String(approved), spender)) return "the approval is for another contract";
  if (amount !== given.asked.amountIn) return "the approval differs";
  return envelopeContradiction(sent, { ...given, value: 0n });
}
