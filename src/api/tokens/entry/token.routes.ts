import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../../http/answer.schema.ts";
import { withEtag } from "../../http/etag.ts";
import { chainId, minBlock, mintParameter } from "../../http/parameters.schema.ts";
import { problems, shownTokenProblems } from "../../http/problem.schema.ts";
import { chosenDetails, detailFields, tokenDetails } from "./token-entry.schema.ts";

export const tokenRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}",
  operationId: "getToken",
  tags: ["Tokens"],
  summary:
    "One token, registered or not: price, market cap, volume and price change by window, holders, risk and the creator's record.",
  description:
    "The same entry as in the list, also for unregistered tokens, with the number of other tokens that have the same symbol and the price impact of small buys. `fields` chooses fields.",
  middleware: withEtag(),
  request: { params: mintParameter, query: z.object({ fields: detailFields, chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The token.", z.union([tokenDetails, chosenDetails])),
    ...problems(shownTokenProblems),
  },
});
