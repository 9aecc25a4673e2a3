import { encodeFunctionData, type Hex } from "viem";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { decodeCall } from "../chain/decode-call.ts";
import type { FirstBuyAnswer } from "../quotes/first-buy.routes.ts";

type NewToken = { name: string; symbol: string; burnPercent: number; salt: Hex | undefined };

const noSalt = `0x${"0".repeat(64)}`;

/** Encodes the call that creates a token without buying. */
export function encodeCreation({ name, symbol, burnPercent, salt }: NewToken): Hex {
  return salt === undefined
    ? encodeFunctionData({
        abi: tokenFactoryAbi,
        functionName: "createToken",
        args: [name, symbol, burnPercent],
      })
    : encodeFunctionData({
        abi: tokenFactoryAbi,
        functionName: "createTokenWithSalt",
        args: [name, symbol, burnPercent, salt],
      });
}

/** Whether the factory accepts a salt from this account alone. */
export function isBoundTo(salt: string, account: string | undefined): boolean {
  return account !== undefined && salt.startsWith(account.toLowerCase());
}

/** Whether a call's own bytes create this token, and buy for that amount what the quote says. */
export function isLaunch(
  data: Hex,
  token: NewToken,
  { amount, quote }: { amount: bigint; quote: FirstBuyAnswer | undefined },
): boolean {
  const { name, symbol, burnPercent, salt } = token;
  if ((quote?.amountInWei ?? "0") !== String(amount)) return false;
  const expected = [name, symbol, String(burnPercent)];
  if (quote !== undefined) expected.push(salt ?? noSalt, quote.minTokensOutRaw);
  else if (salt !== undefined) expected.push(salt);
  const functionName =
    quote !== undefined ? "createTokenAndBuy" : salt === undefined ? "createToken" : "createTokenWithSalt";
  const call = decodeCall(data);
  const actual = Object.values(call?.args ?? {}).map(String);
  return call?.functionName === functionName && actual.join("\0") === expected.join("\0");
}
