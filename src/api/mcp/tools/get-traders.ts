import { z } from "zod";
import { tradersRoute } from "../../traders/traders.routes.ts";
import { chainId, limit, mint } from "../inputs.ts";
import { cursorInput, invalidCursor, nextCursor, readFittingPage } from "../pages.ts";
import { readingTool } from "../tool.ts";

const traders = tradersRoute.responses[200].content["application/json"].schema.shape;

/** As many as REST returns. */
const maxTraders = 100;

export const getTraders = readingTool({
  name: "get_traders",
  title: "Get a token's top traders",
  description:
    "A token's top 100 traders, with what each paid, received, realised and holds, and labels (creator, bundler, sniper, insider). Over all tokens: get_leaderboard.",
  isOpenWorld: false,
  input: z.object({
    mint,
    sort: z
      .enum(traders.sort.options)
      .default("realised")
      .describe("In BNB, highest first. unrealised: of open tokens; bought: paid; sold: received."),
    limit: limit(maxTraders, 20),
    cursor: cursorInput,
    chainId,
  }),
  output: z.object({
    mint: traders.mint,
    sort: traders.sort,
    traders: traders.traders.describe("Ranks may change from one page to the next."),
    nextCursor,
  }),
  async run({ mint, sort, limit, cursor, chainId }, { ask }) {
    const { rows, ...others } = await readFittingPage({ cursor, limit }, async (page) => {
      // REST has no cursor for them, but the first hundred in one answer.
      const before = Number(page.cursor ?? 0);
      if (!Number.isInteger(before) || before < 0) throw invalidCursor();
      const end = Math.min(before + page.limit, maxTraders);
      const query = { sort, limit: end, chainId };
      const { traders, ...answer } = await ask(tradersRoute, { path: { mint }, query });
      const isLast = traders.length < end || end === maxTraders;
      return {
        mint: answer.mint,
        sort: answer.sort,
        rows: traders.slice(before),
        nextCursor: isLast ? null : String(end),
      };
    });
    return { ...others, traders: rows };
  },
});
