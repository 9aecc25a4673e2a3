import { jsonWithEtag } from "../http/etag.ts";
import { ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { tokenListRoute } from "./token-list.routes.ts";
import type { TokenList } from "./token-list.ts";

export function createTokenListRoute({ tokenList }: { tokenList: () => Promise<TokenList | undefined> }) {
  return createRouter().openapi(tokenListRoute, async (c) => {
    const list = await tokenList();
    if (list === undefined) throw emptyList();
    return jsonWithEtag(c, list.body, list.etag, "public, max-age=60") as never;
  });
}

function emptyList(): ProblemException {
  return new ProblemException({
    status: 404,
    code: "token_list_empty",
    title: "Token list empty",
    detail:
      "No token that a token list allows is registered in a final block yet, and a list must have one: try again later.",
  });
}
