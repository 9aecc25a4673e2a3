import { z } from "zod";
import { daysRoute, maxDays } from "../../stats/stats.routes.ts";
import { chainId } from "../inputs.ts";
import { readingToolWithoutBlock } from "../tool.ts";

export const getDailyStats = readingToolWithoutBlock({
  name: "get_daily_stats",
  title: "Get the launchpad's daily stats",
  description:
    "The whole launchpad day by day (UTC), oldest first: volume, trades, tokens created and graduated. Use it to see whether activity grows or falls. For totals and the last hours use get_stats, for one token get_candles.",
  isOpenWorld: false,
  input: z.object({
    days: z.int().min(1).max(maxDays).optional().describe("How many days, including today. Default 30."),
    chainId,
  }),
  output: daysRoute.responses[200].content["application/json"].schema,
  run: async ({ days, chainId }, { ask }) => await ask(daysRoute, { query: { days, chainId } }),
});
