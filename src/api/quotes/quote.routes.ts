import { createRoute, z } from "@hono/zod-openapi";
import { parseSignature } from "viem";
import { maxUint256 } from "../../domain/amounts.ts";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import {
  chainId,
  minBlock,
  mintParameter,
  payableAccount,
  toLowerHex,
  wholeNumber,
} from "../http/parameters.schema.ts";
import { problems, tokenProblems } from "../http/problem.schema.ts";
import { quote } from "./quote.schema.ts";

/** How long a transaction may take to be mined if no deadline is given. */
export const defaultDeadlineSeconds = 20 * 60;

const sideMessage = "must be buy or sell";
const amountMessage = "must be a whole number of base units from 1 to 2^256 - 1, such as 1000000000000000000";
const slippageMessage = "must be a percentage from 0 to 50 with at most 2 decimals, such as 0.5";

const missingOr = (message: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? `is missing: it ${message}` : message),
});

export const amount = z
  .string(missingOr(amountMessage))
  .regex(/^\d{1,78}$/, { message: amountMessage, abort: true })
  .transform(BigInt)
  .refine((value) => value > 0n && value <= maxUint256, amountMessage)
  .openapi({
    type: "string",
    pattern: "^\\d{1,78}$",
    example: "10000000000000000",
    description:
      "The amount to pay in, more than 0: wei for a buy, base units of the token (18 decimals) for a sell.",
  });

const slippage = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, { message: slippageMessage, abort: true })
  // By its digits, since multiplying a fraction is not exact.
  .transform((text) => {
    const [whole, decimals = ""] = text.split(".");
    return Number(`${whole}${decimals.padEnd(2, "0")}`);
  })
  .refine((hundredths) => hundredths <= 5_000, slippageMessage)
  .optional()
  .default(100)
  .openapi({
    type: "number",
    minimum: 0,
    maximum: 50,
    default: 1,
    description: "Percent, up to 2 decimals: how much less than quoted the transaction may bring.",
  });

const query = z
  .object({
    side: z
      .enum(["buy", "sell"], missingOr(sideMessage))
      .openapi({ description: "`buy` takes tokens for BNB, `sell` gives tokens for BNB." }),
    amount,
    slippage,
    account: payableAccount.optional().openapi({
      description:
        "Who trades. On the DEX it receives the proceeds, and is required to get a transaction; on the curve the sender receives them. With it, warnings say whether it can make the trade, and a sell's response has accountBalanceRaw.",
    }),
    deadline: wholeNumber(1, 9_999_999_999)
      .optional()
      .openapi({
        description: `The last second, in seconds since 1970, at which the transaction may be mined. Default: ${defaultDeadlineSeconds / 60} minutes from now, or from the last block if its time is ahead.`,
      }),
    signature: z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/, {
        message: "must be a signature: 0x and 130 hexadecimal digits",
        abort: true,
      })
      .refine(isSignature, "must be a signature, of which r, s and v are in range")
      .transform(toLowerHex)
      .optional()
      .openapi({
        type: "string",
        pattern: "^0x[0-9a-fA-F]{130}$",
        description:
          "The account's signature of the `permit` of an earlier quote for the same amount and `deadline`, for a sell on the curve: the transaction then needs no approval. Has no effect once the token has graduated.",
      }),
    simulation: z
      .literal("true", "must be true: leave it out for a quote without a simulation")
      .optional()
      .openapi({
        type: "boolean",
        enum: [true],
        description:
          "Simulates the transaction as sent by `account` now, after its approval if that is necessary, and adds `simulation`.",
      }),
    chainId,
    minBlock,
  })
  .refine(({ simulation, account }) => simulation === undefined || account !== undefined, {
    path: ["simulation"],
    message: "needs account: whose transaction to simulate",
  })
  .refine(
    ({ signature, side, account, deadline }) =>
      signature === undefined || (side === "sell" && account !== undefined && deadline !== undefined),
    { path: ["signature"], message: "needs side=sell, account and the deadline that was signed" },
  );

/** Whether a key can have made it: signatures of contract accounts are no permits. */
function isSignature(text: string): boolean {
  try {
    parseSignature(toLowerHex(text));
    return true;
  } catch {
    return false;
  }
}

export const quoteRoute = createRoute({
  method: "get",
  path: "/api/curve/{mint}/quote",
  operationId: "getQuote",
  tags: ["Curves"],
  summary: "Quote a buy or a sell to the wei, with the transaction to sign.",
  description:
    "On the curve until the token has graduated, on its DEX pair afterwards, as of the last indexed block. Exact for a transaction that is mined before any other trade of the token; for any other minAmountOutRaw or minAmountOutWei is the limit, under which it reverts. A buy that reaches the end of the curve takes what is left, gets the rest refunded (not swapped on the DEX) and graduates the token; its limit acts as a price for each token, so that it still goes through, for fewer tokens, if somebody buys first.",
  middleware: withEtag(),
  request: { params: mintParameter, query },
  responses: {
    ...jsonAnswers("The quote.", quote),
    ...problems({
      ...tokenProblems,
      422: "In its current state, the chain would revert the trade: `amount_too_small` (it brings nothing), `amount_too_large` (more than anyone can hold, or than the pair can take), `no_liquidity` (the curve is not open, the pair is empty). Or `dex_not_supported`: the launchpad names no Uniswap V2 router.",
      503: "The database is unavailable; or, once after a start and for a graduated token only, the chain's RPC endpoint, which is asked for the DEX router and its fee.",
    }),
  },
});
