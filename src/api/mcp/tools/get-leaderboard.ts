import { z } from "zod";
import { leaderboardRoute } from "../../leaderboard/leaderboard.routes.ts";
import { chainId, limit } from "../inputs.ts";
import { cursorInput, nextCursor, readFittingPage } from "../pages.ts";
import { readingToolWithoutBlock } from "../tool.ts";

const board = leaderboardRoute.responses[200].content["application/json"].schema.shape;

export const getLeaderboard = readingToolWithoutBlock({
  name: "get_leaderboard",
  title: "Get a leaderboard",
  description:
    "Accounts ranked over all tokens: by BNB that their sells realised, BNB traded, trades, tokens created, or created tokens that graduated. Use it to find traders or creators worth a look. Of one token: get_traders, get_holders. Windows may be up to a minute old; asOf has their block.",
  isOpenWorld: false,
  input: z.object({
    by: z
      .enum(board.by.options)
      .default("realised")
      .describe(
        "realised: BNB from sells less the average cost; volume: BNB bought and sold for; trades: number of trades; created, graduated: number of tokens.",
      )
      .meta({ examples: ["realised"] }),
    window: z
      .enum(board.window.options)
      .default("all")
      .describe("The time before asOf that counts; all: to date.")
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
    const { rows, ...others } = await readFittingPage({ cursor, limit }, async (page) => {
      const { leaders, ...answer } = await ask(leaderboardRoute, { query: { by, window, ...page, chainId } });
      return { ...answer, rows: leaders };
    });
    return { ...others, leaders: rows };
  },
});
