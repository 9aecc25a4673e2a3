import type { components } from "./api-types.ts";

export type Quote = components["schemas"]["Quote"];

type Hex = `0x${string}`;

/** A transaction in the form that viem's `sendTransaction` and `call` take. */
export type Call = { to: Hex; data: Hex; value: bigint; gas: bigint; chainId: number };

type Transaction = { to: string; data: string; value: string; chainId: number; gas: number };

/**
 * The transactions of a quote, to be sent one after the other: the approval, unless the account has given it already, then the
 * trade. Throws for a trade on the DEX if the quote was requested without an account.
 */
export function tradeCalls({ transaction, approval, warnings, hint }: Quote): Call[] {
  if (transaction === null)
    throw new Error(hint ?? "the quote has no transaction: request it with an account");
  const wasChecked =
    transaction.rpc.from !== undefined && !warnings.some(({ code }) => code === "account_not_checked");
  const isApproved = wasChecked && !warnings.some(({ code }) => code === "allowance_too_low");
  return [...(approval === null || isApproved ? [] : [toCall(approval)]), toCall(transaction)];
}

function toCall({ to, data, value, chainId, gas }: Transaction): Call {
  return {
    to: to as Hex,
    data: data as Hex,
    value: BigInt(value),
    gas: BigInt(gas),
    chainId,
  };
}
