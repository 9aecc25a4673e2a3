import { z } from "@hono/zod-openapi";
import { decimal } from "../../http/answer.schema.ts";
import { nextCursor, pageFields } from "../../http/parameters.schema.ts";
import { chosenToken, tokenEntry, tokenField } from "../entry/token-entry.schema.ts";

const { mint, name, symbol, progress, holderCount } = tokenEntry.shape;

/** The fields needed to choose among tokens. Those that are also in an entry have the same names and units. */
export const compactToken = z
  .object({
    mint,
    name,
    symbol,
    createdAt: z.iso.datetime().openapi({ description: "When the token was created on the chain." }),
    progress,
    priceBnb: decimal("As in the full entry, rounded to 6 significant digits."),
    marketCapBnb: decimal("As in the full entry, rounded to 6 significant digits."),
    volume24hBnb: decimal(
      "`volumeBnb` of the full entry's 24-hour window, rounded to 6 significant digits: BNB paid by buyers and to sellers.",
    ),
    holderCount,
  })
  .openapi("CompactToken");

export type CompactToken = z.input<typeof compactToken>;

/** Forms of a page's entries. */
export const views = ["full", "compact"] as const;

const placeInAll = { total: z.int().min(0), ...pageFields, nextCursor };

const tokenPage = z.object({ tokens: z.array(tokenEntry), ...placeInAll }).openapi("TokenPage");

/** A page of full entries. */
export type TokenPage = z.input<typeof tokenPage>;

const compactTokenPage = z
  .object({ view: z.literal("compact"), tokens: z.array(compactToken), ...placeInAll })
  .openapi("CompactTokenPage", { description: "The response with `view=compact`." });

const chosenTokenPage = z
  .object({ fields: z.array(tokenField), tokens: z.array(chosenToken), ...placeInAll })
  .openapi("ChosenTokenPage", { description: "The response with `fields`, which it repeats." });

/** A page of the list in any of its forms. Forms other than the full one have a field that names them. */
export const anyTokenPage = z.union([tokenPage, compactTokenPage, chosenTokenPage]);

export type AnyTokenPage = z.input<typeof anyTokenPage>;
export type AnyTokenRow = AnyTokenPage["tokens"][number];
