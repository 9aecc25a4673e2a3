import type { z } from "zod";
import { tokenRoute } from "../../tokens/entry/token.routes.ts";
import {
  type TokenDetails,
  type TokenEntry,
  tokenDetails,
  tokenEntry,
  lookAlike as tokenLookAlike,
} from "../../tokens/entry/token-entry.schema.ts";
import { type AnyTokenRow, compactToken } from "../../tokens/list/token-page.schema.ts";
import type { Ask } from "../ask.ts";
import {
  toUntrustedEntry,
  toUntrustedNames,
  untrustedEntry,
  untrustedNames,
  withUntrustedNames,
} from "../untrusted.ts";

/** Fields of a token that strangers wrote. */
export const strangerFields = {
  name: true,
  symbol: true,
  description: true,
  imageUrl: true,
  twitterUrl: true,
  telegramUrl: true,
  websiteUrl: true,
} as const;

const trusted = tokenEntry.omit(strangerFields);

/** Fields of a token that can be chosen for the rows of a list. */
export const rowFields = trusted.omit({ mint: true }).keyof().options;

/** A token as a registration returns it. */
export const fullToken = trusted.extend({ untrusted: untrustedEntry });

export function toFullToken(entry: TokenEntry): z.input<typeof fullToken> {
  // Parsing drops the fields that are in `untrusted` instead.
  return fullToken.parse({ ...entry, untrusted: toUntrustedEntry(entry) });
}

/** The token that another one looks like. */
export const lookAlike = tokenLookAlike
  .omit({ name: true, symbol: true })
  .extend({ untrusted: untrustedNames })
  .describe(
    "The largest older or much larger token whose symbol or name looks the same: probably the one that was meant.",
  );

export function toLookAlike(token: TokenDetails["lookAlike"]): z.input<typeof lookAlike> | null {
  return token && withUntrustedNames(token);
}

/** A token with everything that is known about it. */
export const detailedToken = tokenDetails
  .omit(strangerFields)
  .extend({ lookAlike: lookAlike.nullable(), untrusted: untrustedEntry });

export function toDetailedToken(entry: TokenDetails): z.input<typeof detailedToken> {
  const lookAlike = toLookAlike(entry.lookAlike);
  return detailedToken.parse({ ...entry, lookAlike, untrusted: toUntrustedEntry(entry) });
}

/** A token in a list: the requested fields, or those of a compact row. */
export const tokenRow = trusted
  .partial()
  .required({ mint: true })
  .extend({ volume24hBnb: compactToken.shape.volume24hBnb.optional(), untrusted: untrustedNames });

export function toTokenRow(row: AnyTokenRow): z.input<typeof tokenRow> {
  const { name = null, symbol = null } = row;
  const others = Object.entries(row).filter(([field]) => !(field in strangerFields));
  return { mint: row.mint, ...Object.fromEntries(others), untrusted: toUntrustedNames({ name, symbol }) };
}

/** Reads a token with all of its fields. */
export async function readToken(ask: Ask, mint: string, chainId?: number): Promise<TokenDetails> {
  const token = await ask(tokenRoute, { path: { mint }, query: { chainId } });
  if ("fields" in token) throw new Error("Invariant(token): it has chosen fields, which nobody chose");
  return token;
}
