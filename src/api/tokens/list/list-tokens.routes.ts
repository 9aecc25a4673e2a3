import { createRoute, z } from "@hono/zod-openapi";
import { parseEther } from "viem";
import { jsonAnswers } from "../../http/answer.schema.ts";
import {
  address,
  chainId,
  cursorBy,
  decimalText,
  minBlock,
  page,
  searchQuery,
  wholeNumber,
} from "../../http/parameters.schema.ts";
import { chainProblems, problems } from "../../http/problem.schema.ts";
import { tokenFields } from "../entry/token-entry.schema.ts";
import { parseListCursor } from "./list-cursor.ts";
import { boards, listWindows, sortMeanings, sorts } from "./order/sorts.ts";
import { anyTokenPage, views } from "./token-page.schema.ts";

function decimal(max: number, decimals: number) {
  const message = `must be a number from 0 to ${max} with at most ${decimals} decimals`;
  return decimalText(decimals, { digits: 12, message }).refine((text) => Number(text) <= max, message);
}

const percent = (description: string) =>
  decimal(100, 6)
    .transform(Number)
    .optional()
    .openapi({ type: "number", minimum: 0, maximum: 100, description });

/** The most that someone may hold of the circulating supply. */
function maxPercent(whoHold: string) {
  const description = `Only tokens whose ${whoHold} at most this percentage of the circulating supply, which is 0 for a token that nobody holds.`;
  return percent(description);
}

/** The most of the BNB paid by buys that some of them may have paid. */
function maxBuysPercent(buys: string, field: string) {
  const description = `Only tokens of which ${buys} have paid at most this percentage of the BNB that all buys paid (\`${field}\` in \`risk\`); tokens without buys count as 0.`;
  return percent(description);
}

/** The least volume, as the number nearest to its wei: the number nearest to its BNB can be some wei off. */
function minVolume(description: string) {
  return decimal(1e9, 18)
    .transform((bnb) => Number(parseEther(bnb)))
    .optional()
    .openapi({ type: "number", minimum: 0, maximum: 1e9, description });
}

/** Parameters that filter a list of tokens by market data and registration. */
const conditionParameters = {
  minVolumeBnb: minVolume("Only tokens with at least this volume in BNB in the last 24 hours."),
  minNetVolumeBnb: minVolume(
    "Only tokens with at least this volume in BNB since creation without back and forth trading of one account (`netVolumeBnb`).",
  ),
  minTraders: wholeNumber(0, 1_000_000_000).optional().openapi({
    description:
      "Only tokens that at least this many different accounts traded in the last 24 hours (`windows.24h.traders`), however often each did: volume alone costs little to fake.",
  }),
  minHolders: wholeNumber(0, 1_000_000_000).optional().openapi({
    description: "Only tokens with at least this many holders.",
  }),
  maxCreatorPercent: maxPercent("creator holds"),
  maxInsiderPercent: maxPercent("insiders (see `risk`) hold"),
  maxSniperPercent: maxPercent("snipers (see `risk`) hold"),
  maxBundlerPercent: maxPercent("bundlers (see `risk`) hold"),
  maxCreatorBuysPercent: maxBuysPercent("the creator's buys", "creatorBuysPercent"),
  maxOpeningBuysPercent: maxBuysPercent("buys in the block in which the curve opened", "openingBuysPercent"),
  verified: z
    .literal("true", "must be true: leave it out for all tokens")
    .transform(() => true as const)
    .optional()
    .openapi({
      type: "boolean",
      enum: [true],
      description: "`true`: only tokens whose creator signed the registration.",
    }),
  selfGraduated: z
    .literal("false", "must be false: leave it out for all tokens")
    .transform(() => false as const)
    .optional()
    .openapi({
      type: "boolean",
      enum: [false],
      description:
        "`false`: without tokens that their own creator's buy graduated (`creatorGraduated` in `risk`), which costs next to nothing.",
    }),
};

export const maxMints = 100;

/** Mints in a query, separated by commas. Parsing lower-cases them and removes duplicates. */
const mints = z
  .string()
  .transform((text) => text.split(",").map((mint) => mint.trim()))
  .refine((mints) => mints.length <= maxMints, {
    message: `must be at most ${maxMints} mints: ask for the others in another request`,
    abort: true,
  })
  .transform((mints, c): string[] => {
    const parsed = mints.map((mint, index) => {
      const { success, data } = address.safeParse(mint);
      if (success) return data;
      const which =
        mints.length === 1 ? "an address:" : `addresses, separated by commas: number ${index + 1} is not`;
      c.addIssue({ code: "custom", message: `must be ${which} 0x and 40 hexadecimal digits` });
      return z.NEVER;
    });
    return [...new Set(parsed)];
  })
  .optional()
  .openapi({
    type: "string",
    example: "0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe",
    description: `Only these tokens: up to ${maxMints} mints, separated by commas. Several come in the given order, whatever \`sort\`, each once; one that is not in the list is left out.`,
  });

/** Entries on a page if the request doesn't set a limit. */
export const defaultLimit = 20;

const sortDescription = `Highest first; ties newest first.

${sorts.map((sort) => `- \`${sort}\`: ${sortMeanings[sort]}`).join("\n")}

The last hours end with the last indexed block of the chain; a trade exactly as old as a window is no longer in it. Volumes and
market caps that agree in 15 significant digits may count as equal, and so may price changes that agree in 7.`;

const query = z.object({
  page,
  limit: wholeNumber(1, 100)
    .optional()
    .openapi({
      description: `Entries on a page. Default: ${defaultLimit}, or ${maxMints} with several mints.`,
    }),
  q: searchQuery.openapi({
    type: "string",
    maxLength: 200,
    description:
      "Text in name, symbol or description, ignoring case, or the beginning of a mint. With one or two characters: the beginning of name or symbol or, if one of the characters is Chinese, Japanese, Korean, an emoji or another sign, any part of name or symbol, and if both are, of the description too.",
  }),
  typos: z
    .literal("true", "must be true: leave it out to find exactly what q says")
    .transform(() => true as const)
    .optional()
    .openapi({
      type: "boolean",
      enum: [true],
      description:
        "`true`: finds names and symbols that begin almost like `q`, in place of those that have it: with one character that is wrong, missing, too much, or exchanged with the next. For a `q` of 5 to 40 letters and digits that finds nothing. The first two characters must be right, or, with 7 or more, all from the fourth on.",
    }),
  board: z
    .enum(boards, `must be one of ${boards.join(", ")}`)
    .default("all")
    .openapi({
      description:
        "`listed`: graduated. `graduating`: not graduated, progress 80 or more. `new`: all others. `all`: everything.",
    }),
  creator: address.optional().openapi({ description: "Only tokens created by this account." }),
  mint: mints,
  sort: z
    .enum(sorts, `must be one of ${sorts.join(", ")}`)
    .default("newest")
    .openapi({ description: sortDescription }),
  window: z
    .enum(listWindows, `must be one of ${listWindows.join(", ")}`)
    .default("24h")
    .openapi({
      description: "The window of `gainers` and `losers`. Other sorts have none, and take `24h` alone.",
    }),
  ...conditionParameters,
  view: z
    .enum(views, `must be one of ${views.join(", ")}`)
    .default("full")
    .openapi({
      description:
        "`compact`: only what is needed to choose among many tokens, in about 250 bytes each instead of 1,800, with 6 significant digits.",
    }),
  fields: tokenFields,
  cursor: cursorBy(parseListCursor).openapi({
    description:
      "Where the page begins: the `nextCursor` of the page before, with the same sort and filters. Not together with `page`.",
  }),
  chainId,
  minBlock,
});

export const listTokensRoute = createRoute({
  method: "get",
  path: "/api/tokens",
  operationId: "listTokens",
  tags: ["Tokens"],
  summary: "List registered tokens, by board, search, creator or mint.",
  description:
    "Filters can be combined. `view=compact` returns short rows, `fields` chooses fields, and `mint` takes up to 100 mints. The list is never older than the last indexed block and the last registration, and `total` is exact. Follow `nextCursor` to read all of a list while the market moves: no page repeats or skips a token, unless that token itself moves past the cursor. Numbered pages shift with every token that moves. With `cursor`, `page` of the answer is the number of the page on which it begins now.",
  request: { query },
  responses: {
    ...jsonAnswers("A page of the list. `total` is exact.", anyTokenPage),
    ...problems(chainProblems),
  },
});
