import { z } from "zod";
import { leaderboardRoute } from "../../leaderboard/leaderboard.routes.ts";
import { chainId, limit } from "../inputs.ts";
import { cursorInput, fitPage, nextCursor, readCursor } from "../pages.ts";
import { readingTool } from "../tool.ts";

const board = leaderboardRoute.responses[200].content["application/json"].schema.shape;

export const getLeaderboard = readingTool({
  name: "get_leaderboard",
  title: "Get a leaderboard",
  description:
    "Ranks accounts over all tokens, highest first: by BNB realised by sells, BNB traded, trades, tokens created, or tokens created that graduated, in 24 hours, 7 days, 30 days or to date. Use it to find traders or creators worth a look. For one account use get_portfolio, for tokens find_tokens, for a token's holders get_holders. Windows may be up to a minute old; asOf has their block.",
  isOpenWorld: false,
  input: z.object({
    by: z
      .enum(board.by.options)
      .default("realised")
      .describe(
        "realised: BNB from sells, less the average cost. volume: BNB bought and sold for. trades: number of trades. created, graduated: number of tokens.",
      )
      .meta({ examples: ["realised"] }),
    window: z
      .enum(board.window.options)
      .default("all")
      .describe("The period up to asOf that counts. all: to date.")
      .meta({ examples: ["24h"] }),
    limit: limit(100, 20),
    cursor: cursorInput,
    chainId,
  }),
  output: z.object({
    by: board.by,
    window: board.window,
    asOf: board.asOf,
    total: board.total,
    leaders: board.leaders,
    nextCursor,
  }),
  async run({ by, window, limit, cursor, chainId }, { ask }) {
    const place = readCursor(cursor);
    const page = Number(place.at ?? 1);
    const answer = await ask(leaderboardRoute, { query: { by, window, limit, page, chainId } });
    const following = answer.hasMore ? String(page + 1) : undefined;
    const fitted = fitPage({ rows: answer.leaders, following }, place);
    return { ...answer, leaders: fitted.rows, nextCursor: fitted.nextCursor };
  },
});
