import { createRoute, z } from "@hono/zod-openapi";
import type { Chains } from "../../chain/chains.ts";
import type { ReadDexFee } from "../../chain/dex-terms.ts";
import { unknownToken } from "../../chain/not-found.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { jsonAnswers } from "../../http/answer.schema.ts";
import { withEtag } from "../../http/etag.ts";
import { chainId, minBlock, mintParameter } from "../../http/parameters.schema.ts";
import { problems, shownTokenProblems } from "../../http/problem.schema.ts";
import { createRouter } from "../../http/router.ts";
import { refuseHidden } from "../../market/hidden-token.query.ts";
import { buyImpacts, graduationExit } from "../../market/quote-state.ts";
import { countTokensWithSymbol, readEntry } from "./entries.query.ts";
import { readLookAlikes } from "./look-alike.query.ts";
import { chooseFields, findLookAlike, toTokenEntry } from "./token-entry.mapper.ts";
import { chosenDetails, detailFields, type TokenDetails, tokenDetails } from "./token-entry.schema.ts";

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

type TokenDeps = { chains: Chains; db: PooledDatabase; readDexFee: ReadDexFee; baseUrl: string };

export function createToken({ chains, db, readDexFee, baseUrl }: TokenDeps) {
  return createRouter().openapi(tokenRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { fields, chainId } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const [row] = await Promise.all([readEntry(db, chain.id, mint), refuseHidden(db, chain.id, mint)]);
    if (row === undefined) throw unknownToken(mint, chain.id);
    const [tokens, lookAlikes, dexFee] = await Promise.all([
      countTokensWithSymbol(db, chain.id, row.symbol),
      readLookAlikes(db, chain.id, mint),
      row.graduated ? readDexFee(chain) : undefined,
    ]);
    const body: TokenDetails = {
      ...toTokenEntry(row, baseUrl),
      sameSymbolTokens: Math.max(0, tokens - 1),
      lookAlike: findLookAlike(row, lookAlikes),
      buyImpacts: buyImpacts(row, dexFee ?? undefined),
      graduationExit: graduationExit(row),
    };
    return c.json(fields === undefined ? body : { fields, ...chooseFields(body, fields) }, 200);
  });
}
