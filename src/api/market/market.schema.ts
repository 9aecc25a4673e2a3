import { z } from "@hono/zod-openapi";
import { decimal, usd } from "../http/field.schema.ts";
import { perWindow } from "./windows.ts";

/** The schemas of what answers about tokens and about the launchpad have in common. */

const count = (description: string) => z.int().min(0).openapi({ description });

/** What was traded, on curves and on the DEX. */
export const traded = {
  volumeBnb: decimal("BNB that was paid for tokens, by buyers and to sellers."),
  volumeUsd: usd("The same in USD, each trade at the rate of its time."),
  trades: count("Buys and sells."),
  buys: z.int().min(0),
  sells: z.int().min(0),
};

const tradeTotals = z.object(traded);

export type TradeTotals = z.input<typeof tradeTotals>;

const windowDescription =
  "What happened in the last 5 minutes, 1 hour, 6 hours and 24 hours, up to the time of the chain's last indexed block: later than the window's length before it.";

/** A record of windows. */
export const windows = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object(perWindow(() => z.object(shape))).openapi({ description: windowDescription });

/** A token's windows. */
export const tokenWindows = windows({
  ...traded,
  traders: count("Accounts that bought or sold."),
  priceChangePercent: z.number().nullable().openapi({
    description:
      "Percent, up to 4 decimals, from the price after the last trade before the window (where there is none: the price at which the curve opened) to the price after the last trade of all. Null where there is no price to compare with.",
  }),
});

export type TokenWindows = z.input<typeof tokenWindows>;

const share = (description: string) =>
  z
    .number()
    .min(0)
    .nullable()
    .openapi({
      description: `Percent of what circulates, rounded down to 4 decimals: ${description} What circulates is the supply without what launchpad, DEX pair and burn addresses hold. Null where nothing does.`,
    });

const shareOfSupply = (field: string) =>
  z
    .number()
    .min(0)
    .openapi({ description: `${field}, as percent of the total supply, rounded down to 4 decimals.` });

/** Who holds how much of a token. */
export const risk = z
  .object({
    creatorPercent: share("what the token's creator holds."),
    top10Percent: share("what the ten largest holders hold."),
    earlyBuyersPercent: share("what those who bought early hold now, the creator among them if it did."),
    creatorOfSupplyPercent: shareOfSupply("creatorPercent"),
    top10OfSupplyPercent: shareOfSupply("top10Percent"),
    earlyBuyersOfSupplyPercent: shareOfSupply("earlyBuyersPercent"),
    earlyBuyers: count("Accounts that bought in the first three blocks of the curve, its own among them."),
    effectiveHolders: z.number().min(0).nullable().openapi({
      description:
        "Effective number of holders (inverse Herfindahl index): the square of what circulates divided by the sum of the squares of all balances, rounded down to 4 decimals. As many holders with equal balances would be as concentrated. Null where nothing circulates.",
    }),
    creatorSoldOut: z.boolean().openapi({
      description: "Whether the creator once held the token and has nothing of it now.",
    }),
    creatorGraduated: z.boolean().nullable().openapi({
      description: "Whether the creator made the buy that graduated the token. Null before graduation.",
    }),
  })
  .openapi("Risk");

export type Risk = z.input<typeof risk>;

/** What can be taken out of a token's market. */
export const liquidity = {
  liquidityBnb: decimal(
    "BNB that sells can take out: what the curve holds for the token or, after graduation, the BNB reserves of the DEX pair.",
  ),
  liquidityUsd: usd("liquidityBnb in USD now."),
};

export const buyImpact = z
  .object({
    amountBnb: decimal("BNB of the buy."),
    priceImpactPercent: z.number().min(0).nullable().openapi({
      description:
        "Percent by which less comes out than at the price before, without the fee, up to 4 decimals, as in a quote. Null where such a buy can't be made, or the chain's DEX can't be asked for its fee.",
    }),
  })
  .openapi("BuyImpact");

export type BuyImpact = z.input<typeof buyImpact>;

/** What an account has done as a creator. */
export const creatorRecord = z
  .object({
    tokensCreated: count("Tokens that the account has created."),
    tokensGraduated: count("Of these, how many have graduated."),
    tokensSoldOut: count("Of these, how many the account once held and has nothing of now."),
  })
  .openapi("CreatorRecord", {
    description:
      "What an account has done as a creator on this chain, with the token in question if there is one.",
  });

export type CreatorRecord = z.input<typeof creatorRecord>;
