import { type Api, dataOf } from "./api.ts";
import type { components, operations } from "./api-types.ts";

/** Yields the entries of all pages of a list that is paged by cursor. Fetches a page once the previous one is used up. */
export async function* byCursor<Entry>(
  readPage: (cursor: string | undefined) => Promise<{ entries: Entry[]; nextCursor: string | null }>,
): AsyncGenerator<Entry, void, void> {
  let cursor: string | undefined;
  do {
    const { entries, nextCursor } = await readPage(cursor);
    yield* entries;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

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

type TokenDetails = components["schemas"]["TokenDetails"];
type ChosenTokenDetails = components["schemas"]["ChosenTokenDetails"];
type TokenQuery = NonNullable<operations["getToken"]["parameters"]["query"]>;

/** Creates the reader of one token. The type of the answer depends on `fields`. The signal ends all of its requests. */
export function readToken(api: Api, signal?: AbortSignal) {
  function token(mint: string, query: TokenQuery & { fields: string }): Promise<ChosenTokenDetails>;
  function token(mint: string, query?: TokenQuery & { fields?: undefined }): Promise<TokenDetails>;
  function token(mint: string, query: TokenQuery = {}): Promise<TokenDetails | ChosenTokenDetails> {
    return dataOf(api.GET("/api/token/{mint}", { params: { path: { mint }, query }, signal }));
  }
  return token;
}
