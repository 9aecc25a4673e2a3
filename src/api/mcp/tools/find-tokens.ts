import { z } from "zod";
import { listTokensRoute } from "../../tokens/list/list-tokens.routes.ts";
import { boards, listWindows, sorts } from "../../tokens/list/order/sorts.ts";
import { address, chainId, limit, toPlainDecimal } from "../inputs.ts";
import { cursorInput, nextCursor, readFittingPage } from "../pages.ts";
import { readingTool } from "../tool.ts";
import { rowFields, tokenRow, toTokenRow } from "./token-result.ts";

const percent = z.number().min(0).max(100).optional();
const bnb = z.number().min(0).max(1e9).optional();

/** In place of compact rows, whose decimals are rounded. */
const exactFields = ["createdAt", "progress", "priceBnb", "marketCapBnb", "holderCount", "windows"];

export const findTokens = readingTool({
  name: "find_tokens",
  title: "Find tokens",
  description:
    "Lists registered tokens as short rows: use it to discover tokens, to search by text, or to resolve a symbol to mints. A symbol is not unique and proves nothing: compare mints, and call assess_token before a trade. Not for one token whose mint you know: use get_token.",
  isOpenWorld: true,
  otherNames: { search: "q", query: "q" },
  input: z.object({
    board: z
      .enum(boards)
      .default("all")
      .describe("listed: graduated to the DEX. graduating: 80 % or more of the curve sold. new: all others."),
    sort: z
      .enum(sorts)
      .default("newest")
      .describe(
        "Highest first; losers lowest, newest and graduated latest first. trending: by different traders. gainers, losers: by price change in the window, only tokens traded in it.",
      ),
    window: z.enum(listWindows).default("24h").describe("Of gainers and losers."),
    minVolumeBnb: bnb.describe("BNB traded in the last 24 hours."),
    minTraders: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .optional()
      .describe("Accounts that traded in the last 24 hours."),
    minHolders: z.int().min(0).max(1_000_000_000).optional().describe("Accounts with a balance."),
    maxCreatorPercent: percent.describe("Percent of the circulating supply that its creator holds."),
    maxInsiderPercent: percent.describe("Percent that insiders hold."),
    maxSniperPercent: percent.describe("Percent that buyers in its first 3 blocks hold."),
    maxBundlerPercent: percent.describe("Percent that buyers in its first block hold."),
    maxCreatorBuysPercent: percent.describe("Percent of all buys' BNB that its creator paid."),
    maxOpeningBuysPercent: percent.describe("Percent of all buys' BNB paid in its first block."),
    minNetVolumeBnb: bnb.describe("BNB since creation, without round trips of one account."),
    verified: z.literal(true).optional().describe("Registration signed by the creator."),
    selfGraduated: z.literal(false).optional().describe("Not graduated by its creator."),
    q: z
      .string()
      .max(200)
      .optional()
      .describe("Text in name, symbol, description, or a mint's start.")
      .meta({ examples: ["otter"] }),
    creator: address("Created by this account.").optional(),
    fields: z
      .array(z.enum(rowFields))
      .max(rowFields.length)
      .optional()
      .describe(
        "Of each row, besides mint and untrusted. Default: createdAt, progress, priceBnb, marketCapBnb, volume24hBnb (with exact, windows), holderCount.",
      ),
    limit: limit(100, 20),
    cursor: cursorInput,
    chainId,
  }),
  output: z.object({
    tokens: z.array(tokenRow),
    total: z.int().describe("The number of matching tokens, on all pages."),
    nextCursor,
  }),
  async run({ fields, cursor, limit, verified, selfGraduated, ...filters }, { ask, exact }) {
    const chosen = fields ?? (exact ? exactFields : undefined);
    const selection =
      chosen === undefined ? { view: "compact" } : { fields: ["name", "symbol", ...chosen].join(",") };
    const query = {
      ...filters,
      ...selection,
      minVolumeBnb: toPlainDecimal(filters.minVolumeBnb, 18),
      minNetVolumeBnb: toPlainDecimal(filters.minNetVolumeBnb, 18),
      maxCreatorPercent: toPlainDecimal(filters.maxCreatorPercent, 6),
      maxInsiderPercent: toPlainDecimal(filters.maxInsiderPercent, 6),
      maxSniperPercent: toPlainDecimal(filters.maxSniperPercent, 6),
      maxBundlerPercent: toPlainDecimal(filters.maxBundlerPercent, 6),
      maxCreatorBuysPercent: toPlainDecimal(filters.maxCreatorBuysPercent, 6),
      maxOpeningBuysPercent: toPlainDecimal(filters.maxOpeningBuysPercent, 6),
      verified: verified && "true",
      selfGraduated: selfGraduated === false ? "false" : undefined,
    };
    const { rows, ...place } = await readFittingPage({ cursor, limit }, async (page) => {
      const { tokens, total, nextCursor } = await ask(listTokensRoute, { query: { ...query, ...page } });
      return { rows: tokens.map((row) => toTokenRow(row)), total, nextCursor };
    });
    return { tokens: rows, ...place };
  },
});
