import { encodeFunctionData, type Hex } from "viem";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import type { FirstBuyAnswer } from "../quotes/first-buy.routes.ts";
import { decodeCall } from "./decode.ts";

type NewToken = { name: string; symbol: string; burnPercent: number; salt: Hex | undefined };

const noSalt = `0x${"0".repeat(64)}`;

/** The call that creates a token and buys nothing. */
export function creation({ name, symbol, burnPercent, salt }: NewToken): Hex {
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

/** Whether a call creates this token by its own bytes, and buys for that amount what the quote says. */
export function isLaunch(
  data: Hex,
  token: NewToken,
  { amount, quote }: { amount: bigint; quote: FirstBuyAnswer | undefined },
): boolean {
  const { name, symbol, burnPercent, salt } = token;
  if ((quote?.amountInWei ?? "0") !== String(amount)) return false;
  const meant = [name, symbol, String(burnPercent)];
  if (quote !== undefined) meant.push(salt ?? noSalt, quote.minTokensOutRaw);
  else if (salt !== undefined) meant.push(salt);
  const functionName =
    quote !== undefined ? "createTokenAndBuy" : salt === undefined ? "createToken" : "createTokenWithSalt";
  const call = decodeCall(data);
  const said = Object.values(call?.args ?? {}).map(String);
  return call?.functionName === functionName && said.join("\0") === meant.join("\0");
}
