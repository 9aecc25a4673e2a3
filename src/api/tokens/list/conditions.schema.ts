import { z } from "@hono/zod-openapi";
import { wholeNumber } from "../../http/parameters.schema.ts";

/** A number of digits and a point only: no sign, no exponent. */
function decimal(max: number, decimals: number) {
  const message = `must be a number from 0 to ${max} with at most ${decimals} decimals`;
  return z
    .string(message)
    .regex(new RegExp(`^\\d{1,12}(\\.\\d{1,${decimals}})?$`), message)
    .transform(Number)
    .refine((value) => value <= max, message)
    .optional();
}

/** The most that someone may hold of the circulating supply. */
function maxPercent(whoHold: string) {
  const description = `Only tokens whose ${whoHold} at most this percentage of the circulating supply, which is 0 for a token that nobody holds.`;
  return decimal(100, 6).openapi({ type: "number", minimum: 0, maximum: 100, description });
}

const weiPerBnb = 1e18;

/** Parameters that filter a list of tokens by market data and registration. */
export const conditionParameters = {
  minVolumeBnb: decimal(1e9, 18)
    .transform((bnb) => (bnb === undefined ? undefined : bnb * weiPerBnb))
    .openapi({
      type: "number",
      minimum: 0,
      maximum: 1e9,
      description: "Only tokens with at least this volume in BNB in the last 24 hours.",
    }),
  minHolders: wholeNumber(0, 1_000_000_000).optional().openapi({
    type: "integer",
    minimum: 0,
    maximum: 1_000_000_000,
    description: "Only tokens with at least this many holders.",
  }),
  maxCreatorPercent: maxPercent("creator holds"),
  maxInsiderPercent: maxPercent("insiders (see `risk`) hold"),
  maxSniperPercent: maxPercent("snipers (see `risk`) hold"),
  maxBundlerPercent: maxPercent("bundlers (see `risk`) hold"),
  verified: z
    .literal("true", "must be true: leave it out for all tokens")
    .transform(() => true as const)
    .optional()
    .openapi({
      type: "boolean",
      enum: [true],
      description: "`true`: only tokens whose creator signed the registration.",
    }),
};
