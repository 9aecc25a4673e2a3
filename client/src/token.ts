import { type Api, dataOf } from "./api.ts";
import type { components, operations } from "./api-types.ts";

type TokenDetails = components["schemas"]["TokenDetails"];
type ChosenTokenDetails = components["schemas"]["ChosenTokenDetails"];
type TokenQuery = NonNullable<operations["getToken"]["parameters"]["query"]>;

/** Creates the reader of one token. The type of the answer depends on `fields`. */
export function readToken(api: Api) {
  function token(mint: string, query: TokenQuery & { fields: string }): Promise<ChosenTokenDetails>;
  function token(mint: string, query?: TokenQuery & { fields?: undefined }): Promise<TokenDetails>;
  function token(mint: string, query: TokenQuery = {}): Promise<TokenDetails | ChosenTokenDetails> {
    return dataOf(api.GET("/api/token/{mint}", { params: { path: { mint }, query } }));
  }
  return token;
}
