import type { Chains } from "../chain/chains.ts";
import { ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import type { SharedJson } from "../http/shared-json.ts";
import { type TokenList, tokenListRoute } from "./token-list.routes.ts";

export type TokenListDeps = {
  chains: Chains;
  tokenList: () => Promise<SharedJson<TokenList> | undefined>;
};

export function createTokenListRoute({ chains, tokenList }: TokenListDeps) {
  return createRouter().openapi(tokenListRoute, async (c) => {
    // The list covers all chains: chainId only selects the one for minBlock and X-Index-Block.
    chains.choose(c.req.valid("query").chainId);
    const list = await tokenList();
    if (list === undefined) throw emptyList();
    return list.send(c, "public, max-age=60");
  });
}

function emptyList(): ProblemException {
  return new ProblemException({
    status: 404,
    code: "token_list_empty",
    title: "Token list empty",
    detail:
      "There is no registered token in a final block yet that a token list allows, and a list must have at least one: try again later.",
  });
}
