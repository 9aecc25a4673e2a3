import { z } from "zod";
import { daysRoute, maxDays, statsRoute } from "../../stats/stats.routes.ts";
import { chainId } from "../inputs.ts";
import { readingTool, readingToolWithoutBlock } from "../tool.ts";

export const getStats = readingTool({
  name: "get_stats",
  title: "Get the launchpad's totals",
  description:
    "Totals of the whole launchpad, to date and in windows of 5 minutes to 24 hours: tokens, graduations, trades, volume, and the BNB/USD rate if a feed is configured. Not about single tokens: get_token.",
  isOpenWorld: false,
  input: z.object({ chainId }),
  output: statsRoute.responses[200].content["application/json"].schema,
  run: async ({ chainId }, { ask }) => await ask(statsRoute, { query: { chainId } }),
});

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
