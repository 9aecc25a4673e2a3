import { z } from "zod";
import { chainId, mint } from "../inputs.ts";
import { readingTool } from "../tool.ts";
import { detailedToken, readToken, toDetailedToken } from "./token-result.ts";

export const getToken = readingTool({
  name: "get_token",
  title: "Get a token",
  description:
    "Everything known about one token, registered or not: price, market cap, progress, liquidity, volume in windows, concentration, the creator's record. For a judgement with warnings in words use assess_token; for prices over time get_candles.",
  isOpenWorld: true,
  input: z.object({ mint, chainId }),
  output: detailedToken,
  run: async ({ mint, chainId }, { ask }) => toDetailedToken(await readToken(ask, mint, chainId)),
});
