import { z } from "zod";
import { holdersRoute } from "../../holders/holders.routes.ts";
import { chainId, limit, mint } from "../inputs.ts";
import { cursorInput, nextCursor, readFittingPage } from "../pages.ts";
import { readingTool } from "../tool.ts";

const holders = holdersRoute.responses[200].content["application/json"].schema.shape;

export const getHolders = readingTool({
  name: "get_holders",
  title: "Get holders",
  description:
    "Who holds a token, largest first, with shares of the supply, labels (launchpad, pair, creator, burn) and who bought early. Use it to see how concentrated a token is; assess_token sums it up.",
  isOpenWorld: false,
  input: z.object({ mint, limit: limit(100, 20), cursor: cursorInput, chainId }),
  output: z.object({
    mint: holders.mint,
    holderCount: holders.holderCount,
    totalSupplyRaw: holders.totalSupplyRaw,
    risk: holders.risk,
    holders: holders.holders,
    nextCursor,
  }),
  async run({ mint, limit, cursor, chainId }, { ask }) {
    const { rows, ...others } = await readFittingPage({ cursor, limit }, async (page) => {
      const { holders, ...answer } = await ask(holdersRoute, { path: { mint }, query: { ...page, chainId } });
      return { ...answer, rows: holders };
    });
    return { ...others, holders: rows };
  },
});
