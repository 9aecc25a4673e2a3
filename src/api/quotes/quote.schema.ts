import { z } from "@hono/zod-openapi";
import { amount, decimal, usd } from "../http/field.schema.ts";

const hex = (description: string) =>
  z
    .string()
    .regex(/^0x([0-9a-f]{2})*$/)
    .openapi({ description });

const quantity = (description: string) =>
  z
    .string()
    .regex(/^0x(0|[1-9a-f][0-9a-f]*)$/)
    .openapi({ description });

const rpc = z
  .object({
    from: hex("The account, where one was given. Where it is absent, add who sends.").optional(),
    to: hex("The contract to call."),
    data: hex("The call data."),
    value: quantity("Wei to send along."),
    gas: quantity("The gas limit, where one has to be given.").optional(),
    chainId: quantity("The chain."),
  })
  .openapi({ description: "The same as `eth_sendTransaction` takes it, with quantities in hexadecimal." });

const transaction = {
  to: hex("The contract to call."),
  data: hex("The call data."),
  value: amount("Wei to send along."),
  chainId: z.int(),
  rpc,
};

const warningCodes = ["balance_too_low", "allowance_too_low", "account_not_checked"] as const;

/** What a quote is answered with. */
export const quote = z
  .object({
    mint: z.string(),
    chainId: z.int(),
    side: z.enum(["buy", "sell"]),
    venue: z.enum(["curve", "dex"]).openapi({ description: "`dex` once the token has graduated." }),
    amountInWei: amount("Of a buy: the wei that are paid in.").optional(),
    amountInRaw: amount("Of a sell: the base units that are paid in.").optional(),
    amountOutRaw: amount(
      "Of a buy: the base units that come out, exactly what the contract gives at `block`.",
    ).optional(),
    amountOutWei: amount(
      "Of a sell: the wei that come out, exactly what the contract gives at `block`.",
    ).optional(),
    refundWei: amount("Wei of a buy that come back, since it reaches the end of the curve; else 0."),
    minAmountOutRaw: amount(
      "Of a buy: the least that the transaction accepts for what is paid without refund: amountOutRaw less slippage, rounded up. On the curve it bounds the price: where the curve ends within the buy, for each token.",
    ).optional(),
    minAmountOutWei: amount(
      "Of a sell: the least that the transaction accepts, amountOutWei less slippage, rounded up.",
    ).optional(),
    slippagePercent: z.number().min(0).max(50),
    feePercent: z.number().min(0).max(100).openapi({
      description:
        "The pool's fee, in percent of what is paid in: 0 on the curve. What comes out is after it.",
    }),
    priceBnb: decimal("BNB for one token before the trade: the ratio of the reserves."),
    averagePriceBnb: decimal(
      "BNB for one token in this trade: what is paid (without refund) for what comes out, with the fee.",
    ),
    priceAfterBnb: decimal("BNB for one token after the trade."),
    priceImpactPercent: z.number().min(0).max(100).openapi({
      description:
        "Percent that comes out less than it would at priceBnb, for what is paid in without refund and without the fee: what the size of the trade costs. Rounded down to 4 decimals.",
    }),
    amountUsd: usd(
      "USD of the BNB that is paid (without refund) or comes out, at the price feed's last answer.",
    ),
    priceUsd: usd("priceBnb in USD."),
    averagePriceUsd: usd("averagePriceBnb in USD."),
    priceAfterUsd: usd("priceAfterBnb in USD."),
    progressAfterPercent: z.number().min(0).max(100).openapi({
      description: "Percent of the curve that is sold after the trade, up to 4 decimals. 100 once graduated.",
    }),
    graduates: z.boolean().openapi({ description: "Whether this buy graduates the token." }),
    block: z.int().openapi({ description: "The last indexed block of the chain: the quote is as of then." }),
    deadline: z.int().openapi({
      description: "The last second at which the transaction may be mined, in seconds since 1970.",
    }),
    accountBalanceRaw: amount(
      "Of a sell with `account`: what that account holds at `block`, in base units. Less than amountInRaw, and the transaction reverts.",
    ).optional(),
    warnings: z
      .array(
        z.object({
          code: z.enum(warningCodes).openapi({
            description:
              "`balance_too_low`: the account has less than is paid in (of BNB, gas comes on top). `allowance_too_low`: send `approval` first. `account_not_checked`: the chain's RPC endpoint, which is asked for BNB and allowance, did not answer. More may come.",
          }),
          message: z.string(),
        }),
      )
      .openapi({
        description:
          "With `account`: why the transaction would revert if that account sent it now. Empty without an account.",
      }),
    transaction: z
      .object({
        ...transaction,
        gas: z.int().optional().openapi({
          description:
            "The gas limit to give; what is left of it costs nothing. Absent where a node's estimate is right. It may be too low for a buy on the curve, which graduates the token when another comes first, and on the DEX, whose pair does more in a new second.",
        }),
      })
      .nullable()
      .openapi({ description: "Ready to sign and send. Null on the DEX where `account` is not given." }),
    hint: z.string().optional().openapi({ description: "How to get the transaction where it is null." }),
    approval: z
      .object({ ...transaction, spender: hex("The launchpad on the curve, the router on the DEX.") })
      .nullable()
      .openapi({
        description:
          "Of a sell: the transaction to send before it, which lets the spender take exactly amountInRaw. Null for a buy.",
      }),
  })
  .openapi("Quote");

export type QuoteAnswer = z.input<typeof quote>;
export type QuoteWarning = QuoteAnswer["warnings"][number];
