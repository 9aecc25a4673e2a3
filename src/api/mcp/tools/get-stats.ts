import { z } from "zod";
import { statsRoute } from "../../stats/stats.routes.ts";
import { chainId } from "../inputs.ts";
import { readingTool } from "../tool.ts";

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
