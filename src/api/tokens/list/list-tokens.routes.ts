import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../../http/answer.schema.ts";
import { address, chainId, minBlock, page, searchQuery, wholeNumber } from "../../http/parameters.schema.ts";
import { problems } from "../../http/problem.schema.ts";
import { conditionParameters } from "./conditions.schema.ts";
import { tokenFields } from "./fields/token-fields.schema.ts";
import { maxMints, mints } from "./mints/mints.schema.ts";
import { boards } from "./order/boards.ts";
import { listWindows, sorts } from "./order/sorts.ts";
import { anyTokenPage, views } from "./token-page.schema.ts";

/** Entries on a page if the request doesn't set a limit. */
export const defaultLimit = 20;

const sortDescription = `Highest first; ties newest first.

- \`newest\`: latest created first.
- \`burn\`: by \`burnPercent\`.
- \`volume\`: by the BNB traded in the last 24 hours, on the curve and on the DEX.
- \`trades\`: by the number of trades in the last 24 hours.
- \`progress\`: by \`progress\`, so graduated tokens come first.
- \`holders\`: by \`holderCount\`.
- \`marketcap\`: by \`marketCapBnb\`.
- \`gainers\` and \`losers\`: by \`priceChangePercent\` in the \`window\`, largest gain or largest loss first. Only tokens with
  trades in it.
- \`trending\`: by the number of distinct accounts that trade the token: 24 times those of the last hour, plus 4 times those of the last
  6 hours, plus those of the last 24 hours, so that each of the three rates per hour weighs the same; then by volume. An account
  counts once in each window however often it trades.

Windows end with the chain's last indexed block; a trade exactly as old as a window is no longer in it. Volumes and
market caps that agree in 15 significant digits may count as equal, as may price changes that agree in 7.`;

const query = z.object({
  page,
  limit: wholeNumber(1, 100)
    .optional()
    .openapi({
      type: "integer",
      minimum: 1,
      maximum: 100,
      description: `Entries on a page: ${defaultLimit} unless it says otherwise, with several mints ${maxMints}.`,
    }),
  q: searchQuery.openapi({
    type: "string",
    maxLength: 200,
    description:
      "Text in name, symbol or description, case-insensitive, or the beginning of a mint. One or two characters match the beginning of a name or symbol; if one of them is Chinese, Japanese, Korean, an emoji or another sign, they match anywhere in it.",
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
    .openapi({ description: "The window of `gainers` and `losers`. Other orders ignore it." }),
  ...conditionParameters,
  view: z
    .enum(views, `must be one of ${views.join(", ")}`)
    .default("full")
    .openapi({
      description:
        "`compact`: only what you need to choose among many tokens, in about 250 bytes each instead of 1,800, rounded to 6 significant digits.",
    }),
  fields: tokenFields,
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
    "Filters can be combined. `view=compact` returns short rows, `fields` selects fields, and `mint` takes up to 100 mints. The list is never older than the last indexed block and the last registration, and `total` is exact.",
  request: { query },
  responses: {
    ...jsonAnswers("A page of the list. `total` is exact.", anyTokenPage),
    ...problems({
      400: "A parameter is wrong.",
      404: "The chain is not indexed here.",
      503: "The database is unavailable.",
    }),
  },
});
