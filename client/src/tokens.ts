import { type Api, dataOf } from "./api.ts";
import type { components, operations } from "./api-types.ts";
import { byCursor } from "./pages.ts";

type Token = components["schemas"]["Token"];
type CompactToken = components["schemas"]["CompactToken"];
type ChosenToken = components["schemas"]["ChosenToken"];

export type TokensQuery = Omit<
  NonNullable<operations["listTokens"]["parameters"]["query"]>,
  "page" | "cursor"
>;

/** Creates the reader of token lists. The type of an entry depends on `view` and `fields`. */
export function readTokens(api: Api) {
  function tokens(query: TokensQuery & { view: "compact" }): AsyncGenerator<CompactToken, void, void>;
  function tokens(query: TokensQuery & { fields: string }): AsyncGenerator<ChosenToken, void, void>;
  function tokens(
    query?: TokensQuery & { view?: "full"; fields?: undefined },
  ): AsyncGenerator<Token, void, void>;
  function tokens(query: TokensQuery): AsyncGenerator<Token | CompactToken | ChosenToken, void, void>;
  function tokens(query: TokensQuery = {}): AsyncGenerator<Token | CompactToken | ChosenToken, void, void> {
    return byCursor<Token | CompactToken | ChosenToken>(async (cursor) => {
      const { tokens, nextCursor } = await dataOf(
        api.GET("/api/tokens", { params: { query: { limit: 100, ...query, cursor } } }),
      );
      return { entries: tokens, nextCursor };
    });
  }
  return tokens;
}
