import { z } from "zod";
import { tradersRoute } from "../../traders/traders.routes.ts";
import { chainId, limit, mint } from "../inputs.ts";
import { fittingRows } from "../pages.ts";
import { readingTool } from "../tool.ts";

const traders = tradersRoute.responses[200].content["application/json"].schema.shape;

export const getTraders = readingTool({
  name: "get_traders",
  title: "Get a token's top traders",
  description:
    "A token's top traders, with what each paid, received, realised and holds, and labels (creator, bundler, sniper, insider). Over all tokens: get_leaderboard.",
  isOpenWorld: false,
  input: z.object({
    mint,
    sort: z
      .enum(traders.sort.options)
      .default("realised")
      .describe("In BNB, highest first. unrealised: of open tokens; bought: paid; sold: received."),
    limit: limit(100, 20),
    chainId,
  }),
  output: z.object({ mint: traders.mint, sort: traders.sort, traders: traders.traders }),
  async run({ mint, sort, limit, chainId }, { ask }) {
    const answer = await ask(tradersRoute, { path: { mint }, query: { sort, limit, chainId } });
    return { mint: answer.mint, sort: answer.sort, traders: fittingRows(answer.traders) };
  },
});
