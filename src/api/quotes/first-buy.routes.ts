import { createRoute, z } from "@hono/zod-openapi";
import { amount as amountField, jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, minBlock, payableAccount, toLowerHex, wholeNumber } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";
import { tokenName, tokenSymbol } from "../vanity-salt/factory-text.schema.ts";
import { amount } from "./quote.routes.ts";
import { quote } from "./quote.schema.ts";

const noSalt = `0x${"0".repeat(64)}` as const;

const query = z
  .object({
    burnPercent: wholeNumber(30, 70).openapi({
      description: "Percent of the supply to burn at launch. What the buy brings depends on it.",
    }),
    amount: amount.openapi({ description: "Wei to buy with, more than 0." }),
    name: tokenName.optional(),
    symbol: tokenSymbol.optional(),
    salt: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes: 0x and 64 hexadecimal digits")
      .transform(toLowerHex)
      .optional()
      .default(noSalt)
      .openapi({
        type: "string",
        pattern: "^0x[0-9a-fA-F]{64}$",
        default: noSalt,
        description:
          "The salt of the token's address, such as one from `/api/tokens/vanity-salt`. Zero for an address as createToken assigns it.",
      }),
    account: payableAccount.optional().openapi({
      description:
        "The account that creates the token and buys. With it, warnings say whether it has the BNB, and whether the factory accepts the salt from it.",
    }),
    chainId,
    minBlock,
  })
  .refine(({ name, symbol }) => (name === undefined) === (symbol === undefined), {
    path: ["symbol"],
    message: "must be given with name, and name with it",
  });

const { warnings, transaction, hint, ...shared } = quote.shape;

const firstBuyQuote = z
  .object({
    chainId: z.int(),
    burnPercent: z.int(),
    amountInWei: amountField("Wei that are paid in."),
    amountOutRaw: amountField("Base units that come out: exactly what the contract pays."),
    refundWei: amountField("Wei refunded, if the buy reaches the end of the curve; otherwise 0."),
    minTokensOutRaw: amountField(
      "The last argument of createTokenAndBuy: amountOutRaw, scaled to all of amountIn. Nobody can buy earlier, so there is no slippage.",
    ),
    priceBnb: shared.priceBnb,
    averagePriceBnb: shared.averagePriceBnb,
    priceAfterBnb: shared.priceAfterBnb,
    priceImpactPercent: shared.priceImpactPercent,
    amountUsd: shared.amountUsd,
    priceUsd: shared.priceUsd,
    averagePriceUsd: shared.averagePriceUsd,
    priceAfterUsd: shared.priceAfterUsd,
    progressAfterPercent: shared.progressAfterPercent,
    graduates: shared.graduates,
    warnings,
    transaction: transaction.openapi({
      description: "Ready to sign and send. Null if name and symbol are not given.",
    }),
    hint,
  })
  .openapi("FirstBuyQuote");

export type FirstBuyAnswer = z.input<typeof firstBuyQuote>;

export const firstBuyRoute = createRoute({
  method: "get",
  path: "/api/first-buy/quote",
  operationId: "getFirstBuyQuote",
  tags: ["Curves"],
  summary:
    "What a first buy brings, to the wei, in the transaction that creates the token, with that transaction to sign.",
  description:
    "For a token that does not exist yet. tokenFactory.createTokenAndBuy creates it and buys from its curve in one step, for the sender, who is its creator: nobody can buy earlier. What comes out depends on burnPercent and amount alone. With name and symbol, and optionally a salt, the response has the transaction.",
  middleware: withEtag(),
  request: { query },
  responses: {
    ...jsonAnswers("The quote.", firstBuyQuote),
    ...problems({
      ...chainProblems,
      422: "`first_buy_not_supported`: the chain's contracts have no createTokenAndBuy.",
      503: "The database is unavailable; or, on the first request for a burnPercent after a start, the chain's RPC endpoint, which is asked for the state in which a curve opens.",
    }),
  },
});
