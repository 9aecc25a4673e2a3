import { z } from "@hono/zod-openapi";
import { amount, decimal, usd } from "../http/answer.schema.ts";
import { graduationExit } from "../market/market.schema.ts";

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
    gas: quantity("The gas limit."),
    chainId: quantity("The chain."),
  })
  .openapi({
    description: "The same in the form that `eth_sendTransaction` takes, with quantities in hexadecimal.",
  });

const transaction = {
  to: hex("The contract to call."),
  data: hex("The call data."),
  value: amount("Wei to send along."),
  gas: z.int().openapi({
    description:
      "The gas limit to set: at least what the call can need when it is mined, so don't estimate. Unused gas costs nothing. An estimate is of the chain as it is now. A buy on the curve needs several times as much if other buys make it the one that graduates the token, a trade on the DEX more in a new second, and a sale can't be estimated before its approval is mined.",
  }),
  chainId: z.int(),
  rpc,
};

const typeFields = z.array(z.object({ name: z.string(), type: z.string() }));

const permit = z.object({
  domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.int(),
    verifyingContract: hex("The token."),
  }),
  types: z.object({ EIP712Domain: typeFields, Permit: typeFields }),
  primaryType: z.literal("Permit"),
  message: z.object({
    owner: hex("The account."),
    spender: hex("The launchpad."),
    value: amount("amountInRaw."),
    nonce: amount("The number of permits that the account has used on this token."),
    deadline: amount("The quote's deadline, in seconds since 1970."),
  }),
});

const warningCodes = [
  "balance_too_low",
  "allowance_too_low",
  "permit_not_valid",
  "account_not_checked",
  "salt_of_another_account",
  "salt_already_used",
] as const;

export const quote = z
  .object({
    mint: z.string(),
    chainId: z.int(),
    side: z.enum(["buy", "sell"]),
    venue: z.enum(["curve", "dex"]).openapi({ description: "`dex` once the token has graduated." }),
    amountInWei: amount("Of a buy: the wei paid in.").optional(),
    amountInRaw: amount("Of a sell: the base units paid in.").optional(),
    amountOutRaw: amount(
      "Of a buy: the base units that come out, exactly what the contract pays at `block`.",
    ).optional(),
    amountOutWei: amount(
      "Of a sell: the wei that come out, exactly what the contract pays at `block`.",
    ).optional(),
    refundWei: amount("Wei refunded, if a buy reaches the end of the curve; otherwise 0."),
    minAmountOutRaw: amount(
      "Of a buy: the minimum that the transaction accepts for the amount paid without refund: amountOutRaw less slippage, rounded up. On the curve it bounds the price for each token, even if the curve ends within the buy.",
    ).optional(),
    minAmountOutWei: amount(
      "Of a sell: the minimum that the transaction accepts, amountOutWei less slippage, rounded up.",
    ).optional(),
    slippagePercent: z.number().min(0).max(50),
    feePercent: z.number().min(0).max(100).openapi({
      description:
        "The pool's fee, in percent of the amount paid in: 0 on the curve. Output amounts are after the fee.",
    }),
    priceBnb: decimal("BNB for one token before the trade: the ratio of the reserves."),
    averagePriceBnb: decimal(
      "BNB for one token in this trade: the amount paid (without refund) for the amount received, including the fee.",
    ),
    priceAfterBnb: decimal("BNB for one token after the trade."),
    priceImpactPercent: z.number().min(0).max(100).openapi({
      description:
        "How many percent less comes out than at priceBnb, for the amount paid in without refund and fee: the cost of the trade's size. Rounded down to 4 decimals.",
    }),
    amountUsd: usd("The BNB paid (without refund) or received, in USD at the price feed's last answer."),
    priceUsd: usd("priceBnb in USD."),
    averagePriceUsd: usd("averagePriceBnb in USD."),
    priceAfterUsd: usd("priceAfterBnb in USD."),
    progressAfterPercent: z.number().min(0).max(100).openapi({
      description:
        "Percent of the curve that is sold after the trade, up to 4 decimals. 100 once the token has graduated.",
    }),
    graduates: z.boolean().openapi({ description: "Whether this buy graduates the token." }),
    graduationExit: z.union([graduationExit, z.null()]).openapi({
      description: "If this buy graduates the token: what that costs holders. Otherwise null.",
    }),
    block: z.int().openapi({ description: "The chain's last indexed block, on which the quote is based." }),
    deadline: z.int().openapi({
      description: "The latest time at which the transaction may be mined, in seconds since 1970.",
    }),
    accountBalanceRaw: amount(
      "Of a sell with `account`: what that account holds at `block`, in base units. If it is less than amountInRaw, the transaction reverts.",
    ).optional(),
    warnings: z
      .array(
        z.object({
          code: z.enum(warningCodes).openapi({
            description:
              "`balance_too_low`: the account has less than the amount to pay in (for a buy, gas comes on top). `allowance_too_low`: send `approval` first. `permit_not_valid`: `signature` is not the account's of a permit for this amount and deadline, or has been used: sign `permit`. `account_not_checked`: the chain's RPC endpoint, which is asked for BNB, allowance and permit, did not answer, or the token has no permits. `salt_of_another_account`: of a first buy, whose salt is bound to another account. `salt_already_used`: of a first buy, whose token exists. More codes may be added.",
          }),
          message: z.string(),
        }),
      )
      .openapi({
        description:
          "With `account`: reasons why the transaction would revert if that account sent it now. Empty without an account.",
      }),
    simulation: z
      .object({
        outcome: z.enum(["succeeds", "reverts", "not_simulated"]),
        reason: z.string().optional().openapi({
          description: "The name of the contract's error, or why there was no simulation.",
        }),
      })
      .optional()
      .openapi({
        description:
          "With `simulation=true`: what the transaction would do at the chain's latest state, in which the price may have moved since `block`.",
      }),
    transaction: z
      .object(transaction)
      .nullable()
      .openapi({ description: "Ready to sign and send. Null on the DEX if `account` is not given." }),
    hint: z.string().optional().openapi({ description: "How to get the transaction if it is null." }),
    approval: z
      .object({ ...transaction, spender: hex("The launchpad on the curve, the router on the DEX.") })
      .nullable()
      .openapi({
        description:
          "Sells only: the transaction to send first, which allows the spender to take exactly amountInRaw. Null for a buy, and with `signature`.",
      }),
    permit: permit.nullable().openapi({
      description:
        "Instead of sending `approval`: the typed data (EIP-712) of an ERC-2612 permit. Sign it, and repeat the request with `signature` and this `deadline`: `transaction` then needs no approval. Null if nothing has to be approved, with a valid `signature`, on the DEX, without `account`, and if the chain's contracts have no permits.",
    }),
  })
  .openapi("Quote");

export type QuoteAnswer = z.input<typeof quote>;
export type QuoteWarning = QuoteAnswer["warnings"][number];
