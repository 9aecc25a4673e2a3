import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../../http/answer.schema.ts";
import { address, chainId, limit, minBlock, page, searchQuery } from "../../http/parameters.schema.ts";
import { problems } from "../../http/problem.schema.ts";
import { tokenEntry } from "../entry/token-entry.schema.ts";
import { boards } from "./order/boards.ts";
import { sorts } from "./order/sorts.ts";

const sortDescription = `The highest first, and the newest first among equals.

- \`newest\`: latest created first.
- \`burn\`: by \`burnPercent\`.
- \`volume\`: by the BNB traded in the last 24 hours, on the curve and on the DEX.
- \`trades\`: by the number of trades in the last 24 hours.
- \`progress\`: by \`progress\`, so that what has graduated comes first.
- \`holders\`: by \`holderCount\`.
- \`marketcap\`: by \`marketCapBnb\`.
- \`trending\`: by how many different accounts trade the token: 24 times those of the last hour, plus 4 times those of the last
  6 hours, plus those of the last 24 hours, so that each of the three rates per hour weighs the same; then by volume. An account
  counts once in each window however often it trades.

The last hours end with the last indexed block of the chain; a trade exactly as old as a window is no longer in it. Volumes and
market caps that agree in 15 significant digits may count as equal.`;

const query = z.object({
  page,
  limit,
  q: searchQuery.openapi({
    type: "string",
    maxLength: 200,
    description:
      "Text in name, symbol or description, in any case, or the beginning of a mint. With one or two characters: the beginning of name or symbol.",
  }),
  board: z
    .enum(boards, `must be one of ${boards.join(", ")}`)
    .default("all")
    .openapi({
      description:
        "`listed`: graduated. `graduating`: not graduated, progress 80 or more. `new`: all others. `all`: everything.",
    }),
  creator: address.optional().openapi({ description: "Only tokens created by this account." }),
  mint: address.optional().openapi({ description: "Only this token." }),
  sort: z
    .enum(sorts, `must be one of ${sorts.join(", ")}`)
    .default("newest")
    .openapi({ description: sortDescription }),
  chainId,
  minBlock,
});

const tokenPage = z
  .object({
    tokens: z.array(tokenEntry),
    total: z.int().min(0),
    page: z.int(),
    limit: z.int(),
    hasMore: z.boolean(),
  })
  .openapi("TokenPage");

export type TokenPage = z.input<typeof tokenPage>;

export const listTokensRoute = createRoute({
  method: "get",
  path: "/api/tokens",
  operationId: "listTokens",
  tags: ["Tokens"],
  summary: "List registered tokens, by board, search, creator or mint.",
  description:
    "Filters can be combined. The list is never older than the last indexed block and the last registration, and `total` is exact.",
  request: { query },
  responses: {
    ...jsonAnswers("A page of the list. `total` is exact.", tokenPage),
    ...problems({
      400: "A parameter is wrong.",
      404: "The chain is not indexed here.",
      503: "The database is away.",
    }),
  },
});
