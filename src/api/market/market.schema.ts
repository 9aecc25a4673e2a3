import { z } from "@hono/zod-openapi";
import { decimal, usd } from "../http/answer.schema.ts";
import { perWindow } from "./time.ts";

/** Schemas shared by the responses about tokens and about the launchpad. */

const count = (description: string) => z.int().min(0).openapi({ description });

/** Totals of trades, on curves and on the DEX. */
export const tradeTotalsShape = {
  volumeBnb: decimal("BNB that was paid for tokens, by buyers and to sellers."),
  volumeUsd: usd("The same in USD, each trade at the rate of its time."),
  trades: count("Buys and sells."),
  buys: z.int().min(0),
  sells: z.int().min(0),
};

const tradeTotals = z.object(tradeTotalsShape);

export type TradeTotals = z.input<typeof tradeTotals>;

const windowDescription =
  "What happened in the last 5 minutes, 1 hour, 6 hours and 24 hours, up to the time of the chain's last indexed block. A window begins just after its start: what happened exactly that long ago is not in it.";

/** An object with the given fields for each window. */
export const windows = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object(perWindow(() => z.object(shape))).openapi({ description: windowDescription });

export const tokenWindows = windows({
  ...tradeTotalsShape,
  traders: count("Accounts that bought or sold."),
  priceChangePercent: z.number().nullable().openapi({
    description:
      "Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with.",
  }),
});

export type TokenWindows = z.input<typeof tokenWindows>;

const share = (description: string) =>
  z
    .number()
    .min(0)
    .nullable()
    .openapi({
      description: `Percent of the circulating supply, rounded down to 4 decimals: ${description} The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0.`,
    });

const shareOfBuys = (description: string) =>
  z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .openapi({
      description: `Percent of the BNB that all buys have paid so far, rounded down to 4 decimals: ${description} Null before the first buy.`,
    });

const shareOfSupply = (field: string) =>
  z
    .number()
    .min(0)
    .openapi({ description: `${field}, as percent of the total supply, rounded down to 4 decimals.` });

/** How concentrated a token's holdings are. */
export const risk = z
  .object({
    creatorPercent: share("what the token's creator holds."),
    top10Percent: share("what the ten largest holders hold."),
    earlyBuyersPercent: share("what early buyers hold now, including the creator if it bought early."),
    creatorOfSupplyPercent: shareOfSupply("creatorPercent"),
    top10OfSupplyPercent: shareOfSupply("top10Percent"),
    earlyBuyersOfSupplyPercent: shareOfSupply("earlyBuyersPercent"),
    earlyBuyers: count(
      "Accounts that bought in the first three blocks of the curve, including the one in which it opened.",
    ),
    snipers: count("Early buyers other than the token's creator."),
    snipersPercent: share("what snipers hold now."),
    snipersBoughtPercent: share(
      "what snipers bought in the first three blocks, of which they may hold less now.",
    ),
    bundlers: count("Snipers that bought in the very block in which the curve opened."),
    bundlersPercent: share("what bundlers hold now."),
    bundlersBoughtPercent: share("what bundlers bought in the first three blocks."),
    insiders: count(
      "Accounts that got the token by transfer from its creator, or from such an account, over at most three transfers.",
    ),
    insidersPercent: share("what insiders hold now, however they came by it."),
    insidersReceivedPercent: share("what the creator has transferred to insiders."),
    effectiveHolders: z.number().min(0).nullable().openapi({
      description:
        "Effective number of holders (inverse Herfindahl index): the square of the circulating supply divided by the sum of the squares of all balances, rounded down to 4 decimals. That many holders with equal balances would be equally concentrated. Null if nothing circulates.",
    }),
    creatorBuysPercent: shareOfBuys("what the creator's buys paid."),
    openingBuysPercent: shareOfBuys(
      "what buys paid in the block in which the curve opened, the creator's included.",
    ),
    creatorSoldOut: z.boolean().openapi({
      description: "Whether the creator once held the token and now holds none of it.",
    }),
    creatorGraduated: z.boolean().nullable().openapi({
      description: "Whether the creator made the buy that graduated the token. Null before graduation.",
    }),
  })
  .openapi("Risk");

export type Risk = z.input<typeof risk>;

/** What an account is to a token, beyond holding or trading it. */
export const accountLabels = z.array(z.enum(["creator", "bundler", "sniper", "insider"])).openapi({
  description:
    "What the account is to the token. `creator`: created it. `sniper`: bought in the first three blocks of its curve. `bundler`: a sniper that bought in the very block in which the curve opened. `insider`: got it by transfer from the creator, or from an insider, over at most three transfers. The creator is none of the three.",
});

export type AccountLabels = z.output<typeof accountLabels>;

/** How much BNB can be taken out of a token's market. */
export const liquidity = {
  liquidityBnb: decimal(
    "BNB that sells can withdraw: what the curve holds for the token or, after graduation, the DEX pair's BNB reserve.",
  ),
  liquidityUsd: usd("liquidityBnb in USD now."),
};

export const buyImpact = z
  .object({
    amountBnb: decimal("BNB paid."),
    priceImpactPercent: z.number().min(0).nullable().openapi({
      description:
        "Percent by which the buy returns fewer tokens than at the price before it, not counting the fee, up to 4 decimals, as in a quote. Null if such a buy is not possible, or the fee of the chain's DEX can't be read.",
    }),
  })
  .openapi("BuyImpact");

export type BuyImpact = z.input<typeof buyImpact>;

export const graduationExit = z
  .object({
    beforeBnb: decimal("Just before it: the BNB that buyers will have paid to the curve."),
    afterBnb: decimal("Just after it, on the DEX, without its fee."),
  })
  .openapi("GraduationExit", {
    description:
      "The BNB that all who bought on the curve can take out together by selling everything, on both sides of the graduation.",
  });

export type GraduationExit = z.input<typeof graduationExit>;

/** An account's record as a creator of tokens. */
export const creatorRecord = z
  .object({
    tokensCreated: count("Tokens that the account has created."),
    tokensGraduated: count("Of these, how many have graduated."),
    tokensSoldOut: count("Of these, how many the account once held and now holds none of."),
  })
  .openapi("CreatorRecord", {
    description:
      "An account's record as a creator on this chain, including the token in question if there is one.",
  });

export type CreatorRecord = z.input<typeof creatorRecord>;
