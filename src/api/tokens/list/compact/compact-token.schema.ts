import { z } from "@hono/zod-openapi";
import { decimal } from "../../../http/field.schema.ts";
import { tokenEntry } from "../../entry/token-entry.schema.ts";

const { mint, name, symbol, progress, holderCount } = tokenEntry.shape;

/** The fields needed to choose among tokens. Those that are also in an entry have the same names and units. */
export const compactToken = z
  .object({
    ...{ mint, name, symbol },
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
