import { z } from "@hono/zod-openapi";
import { amount, decimal, hidden, lowercaseAddress, signed, usd } from "../http/answer.schema.ts";

/** The fields about the token that every kind of entry has. */
const tokenFields = {
  mint: lowercaseAddress.openapi({ description: "The token's contract address." }),
  name: z.string().openapi({ description: "Untrusted text." }),
  symbol: z.string().openapi({ description: "Untrusted text." }),
  hidden,
  graduated: z.boolean(),
  priceBnb: decimal("BNB for one token now, on the curve or the DEX."),
  priceUsd: usd("priceBnb in USD now."),
};

/** Results in USD: all of them or none. */
const resultUsd = {
  spentUsd: usd(
    "USD spent on buys, each at the rate of its time. Left out, like the other results in USD, if a trade had no rate.",
  ),
  receivedUsd: usd("USD received from sells, each at the rate of its time."),
  realisedUsd: signed(
    "USD of realised profit, each trade at the rate of its time; below 0 is a loss.",
  ).optional(),
  unrealisedUsd: signed(
    "USD: the current value, less what the open tokens cost when they were bought; below 0 is a loss.",
  ).optional(),
};

const exit = (what: string) => ({
  exitBnb: decimal(
    `BNB that selling ${what} on the curve or the DEX pair would bring after fees, as in a quote. Null if that includes a graduated token and the DEX's fee can't be read from the chain.`,
  ).nullable(),
  exitUsd: usd("exitBnb in USD now; left out if that is null."),
});

const unrealisedAtExit = {
  unrealisedAtExitBnb: signed(
    "BNB: what selling all open tokens would bring, as in exitBnb, less what they cost.",
  ).nullable(),
  unrealisedAtExitUsd: signed(
    "The same in USD, less what the open tokens cost in USD at the time.",
  ).optional(),
};

/** Explains how results are computed, for use in descriptions. */
export const averageCost =
  "Results use average cost: a buy adds its tokens and their cost to the open position; a sell realises its proceeds less the average cost of as many open tokens; a transfer moves the average cost along with the tokens, from the sender's open position to the receiver's. What comes from the mint or from liquidity costs nothing. Gas is not counted.";

export const holding = z
  .object({
    ...tokenFields,
    balanceRaw: amount("Base units (18 decimals)."),
    percent: z.number().min(0).openapi({ description: "Percent of the supply, rounded down to 4 decimals." }),
    valueBnb: decimal("BNB for the balance at priceBnb, ignoring that selling it moves the price."),
    valueUsd: usd("valueBnb in USD now."),
    ...exit("the balance"),
  })
  .openapi("Holding");

export type Holding = z.input<typeof holding>;

const noTrade = "Null if the account has only received or sent the token.";

/** What an account made of a token. */
export const positionFields = {
  buys: z.int().min(0),
  sells: z.int().min(0),
  tokensBoughtRaw: amount("Base units (18 decimals)."),
  tokensSoldRaw: amount("Base units (18 decimals)."),
  bnbSpentWei: amount("Wei."),
  bnbReceivedWei: amount("Wei."),
  receivedRaw: amount("Base units received other than by buys: by transfers, and from liquidity."),
  receivedCostWei: amount("Wei that receivedRaw cost their senders."),
  sentRaw: amount("Base units sent other than by sells: by transfers, to burn addresses, and to liquidity."),
  sentCostWei: amount("Wei that sentRaw cost, by the average cost when they were sent."),
  realisedBnb: signed("BNB of realised profit; below 0 is a loss."),
  openTokensRaw: amount("Base units bought or received and not yet sold or sent."),
  openCostWei: amount("Wei that the open tokens cost."),
  valueBnb: decimal("BNB for the open tokens at priceBnb."),
  valueUsd: usd("valueBnb in USD now."),
  ...exit("the open tokens"),
  unrealisedBnb: signed("BNB: valueBnb less what the open tokens cost; negative is a loss."),
  ...unrealisedAtExit,
  ...resultUsd,
  firstTradeAt: z.iso.datetime().nullable().openapi({ description: noTrade }),
  lastTradeAt: z.iso.datetime().nullable().openapi({ description: noTrade }),
};

export const position = z
  .object({ ...tokenFields, ...positionFields })
  .openapi("Position", { description: averageCost });

export type Position = z.input<typeof position>;

export const createdToken = z
  .object({
    ...tokenFields,
    burnPercent: z.int().openapi({ description: "Percent of the supply burned at launch." }),
    createdAt: z.iso.datetime(),
    progress: z.number().min(0).max(100).openapi({
      description: "Percent of the curve sold, up to 4 decimals. 100 if and only if graduated.",
    }),
    pair: lowercaseAddress.nullable().openapi({ description: "The DEX pair, once graduated." }),
    marketCapBnb: decimal("BNB for the whole supply at priceBnb."),
    marketCapUsd: usd("marketCapBnb in USD now."),
    holderCount: z.int().min(0),
    realisedBnb: signed(
      "BNB that the account's own sells of it realised; a loss is below 0. The curve pays creators nothing else.",
    ),
  })
  .openapi("CreatedToken");

export type CreatedToken = z.input<typeof createdToken>;

export const accountTotals = z
  .object({
    holdings: z.int().min(0).openapi({
      description:
        "Tokens that the account has a balance of. Balances of the launchpad, pairs and burn addresses do not count as holdings: see a token's holders.",
    }),
    positions: z
      .int()
      .min(0)
      .openapi({ description: "Tokens that the account has traded, received or sent." }),
    buys: z.int().min(0),
    sells: z.int().min(0),
    bnbSpentWei: amount("Wei."),
    bnbReceivedWei: amount("Wei."),
    realisedBnb: signed("BNB of realised profit; below 0 is a loss."),
    unrealisedBnb: signed(
      "BNB: the current value of all open tokens, less what they cost; below 0 is a loss.",
    ),
    ...unrealisedAtExit,
    ...resultUsd,
    valueBnb: decimal("BNB for all holdings at current prices."),
    valueUsd: usd("valueBnb in USD now."),
    ...exit("each holding by itself"),
  })
  .openapi("AccountTotals", { description: "Over all tokens, including those on other pages." });

export type AccountTotals = z.input<typeof accountTotals>;
