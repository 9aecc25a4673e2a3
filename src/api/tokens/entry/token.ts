import type { Chains } from "../../chain/chains.ts";
import type { ReadDexFee } from "../../chain/dex-terms.ts";
import { unknownToken } from "../../chain/not-found.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { createRouter } from "../../http/router.ts";
import { refuseHidden } from "../../market/hidden-token.query.ts";
import { readQuoteState } from "../../market/quote-state.query.ts";
import { buyImpacts, graduationExit } from "../../market/quote-state.ts";
import { countTokensWithSymbol, readEntry } from "./entries.query.ts";
import { readLookAlikes } from "./look-alike.query.ts";
import { tokenRoute } from "./token.routes.ts";
import { chooseFields, findLookAlike, toTokenEntry } from "./token-entry.mapper.ts";
import type { TokenDetails } from "./token-entry.schema.ts";

type TokenDeps = { chains: Chains; db: PooledDatabase; readDexFee: ReadDexFee; baseUrl: string };

export function createToken({ chains, db, readDexFee, baseUrl }: TokenDeps) {
  return createRouter().openapi(tokenRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { fields, chainId } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const [row, market] = await Promise.all([
      readEntry(db, chain.id, mint),
      readQuoteState(db, { chainId: chain.id, mint, account: undefined }),
      refuseHidden(db, chain.id, mint),
    ]);
    if (row === undefined || market === undefined) throw unknownToken(mint, chain.id);
    const [tokens, lookAlikes, dexFee] = await Promise.all([
      countTokensWithSymbol(db, chain.id, row.symbol),
      readLookAlikes(db, chain.id, mint),
      market.graduated ? readDexFee(chain) : undefined,
    ]);
    const body: TokenDetails = {
      ...toTokenEntry(row, baseUrl),
      sameSymbolTokens: Math.max(0, tokens - 1),
      lookAlike: findLookAlike(row, lookAlikes),
      buyImpacts: buyImpacts(market, dexFee ?? undefined),
      graduationExit: graduationExit(market),
    };
    return c.json(fields === undefined ? body : { fields, ...chooseFields(body, fields) }, 200);
  });
}
