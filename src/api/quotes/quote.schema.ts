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
    from: hex("The account, if one was given. If absent, add the sender.").optional(),
    to: hex("The contract to call."),
    data: hex("The call data."),
    value: quantity("Wei to send along."),
    gas: quantity("The gas limit, if one has to be set.").optional(),
    chainId: quantity("The chain."),
  })
  .openapi({
    description: "The same in the form that `eth_sendTransaction` takes, with hexadecimal quantities.",
  });

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
    amountInWei: amount("Buys only: wei paid in.").optional(),
    amountInRaw: amount("Sells only: base units paid in.").optional(),
    amountOutRaw: amount(
      "Buys only: base units received, exactly what the contract pays out at `block`.",
    ).optional(),
    amountOutWei: amount(
      "Sells only: wei received, exactly what the contract pays out at `block`.",
    ).optional(),
    refundWei: amount("Wei refunded to a buy that reaches the end of the curve; else 0."),
    minAmountOutRaw: amount(
      "Buys only: the minimum that the transaction accepts, in base units, for the payment without the refund: amountOutRaw less slippage, rounded up. On the curve it limits the price per token, so a buy that ends the curve may receive fewer tokens for less BNB.",
    ).optional(),
    minAmountOutWei: amount(
      "Sells only: the minimum that the transaction accepts, in wei: amountOutWei less slippage, rounded up.",
    ).optional(),
    slippagePercent: z.number().min(0).max(50),
    feePercent: z.number().min(0).max(100).openapi({
      description:
        "The pool's fee in percent of the payment; 0 on the curve. Amounts received are after the fee.",
    }),
    priceBnb: decimal("BNB for one token before the trade: the ratio of the reserves."),
    averagePriceBnb: decimal(
      "BNB for one token in this trade: the payment (without refund) divided by what is received, fee included.",
    ),
    priceAfterBnb: decimal("BNB for one token after the trade."),
    priceImpactPercent: z.number().min(0).max(100).openapi({
      description:
        "By how many percent less is received than at priceBnb, not counting refund and fee: what the size of the trade costs. Rounded down to 4 decimals.",
    }),
    amountUsd: usd(
      "USD value of the BNB paid (without refund) or received, at the price feed's last answer.",
    ),
    priceUsd: usd("priceBnb in USD."),
    averagePriceUsd: usd("averagePriceBnb in USD."),
    priceAfterUsd: usd("priceAfterBnb in USD."),
    progressAfterPercent: z.number().min(0).max(100).openapi({
      description:
        "Percent of the curve that is sold after the trade, up to 4 decimals. 100 once the token has graduated.",
    }),
    graduates: z.boolean().openapi({ description: "Whether this buy graduates the token." }),
    block: z.int().openapi({ description: "The chain's last indexed block, which this quote is as of." }),
    deadline: z.int().openapi({
      description: "The latest time at which the transaction may be mined, in seconds since 1970.",
    }),
    accountBalanceRaw: amount(
      "Sells with `account` only: that account's balance at `block`, in base units. If it is less than amountInRaw, the transaction reverts.",
    ).optional(),
    warnings: z
      .array(
        z.object({
          code: z.enum(warningCodes).openapi({
            description:
              "`balance_too_low`: the account has less than it pays in (gas comes on top of BNB). `allowance_too_low`: send `approval` first. `account_not_checked`: the chain's RPC endpoint did not answer the request for BNB balance and allowance. New codes may be added.",
          }),
          message: z.string(),
        }),
      )
      .openapi({
        description: "Why the transaction would revert if `account` sent it now. Empty without an account.",
      }),
    transaction: z
      .object({
        ...transaction,
        gas: z.int().optional().openapi({
          description:
            "The gas limit to set; unused gas costs nothing. Absent where a node's estimate is right. An estimate may be too low on the curve, where a buy that follows another may graduate the token, and on the DEX, whose pair does more work in a new second.",
        }),
      })
      .nullable()
      .openapi({ description: "Ready to sign and send. Null on the DEX without `account`." }),
    hint: z.string().optional().openapi({ description: "How to get the transaction if it is null." }),
    approval: z
      .object({ ...transaction, spender: hex("The launchpad on the curve, the router on the DEX.") })
      .nullable()
      .openapi({
        description:
          "Sells only: the transaction to send first, which allows the spender to take exactly amountInRaw. Null for a buy.",
      }),
  })
  .openapi("Quote");

export type QuoteAnswer = z.input<typeof quote>;
export type QuoteWarning = QuoteAnswer["warnings"][number];
