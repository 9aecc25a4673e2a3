import { type Api, type ApiOptions, createApi, dataOf } from "./api.ts";
import type { components, paths } from "./api-types.ts";
import { readStream, type StreamQuery } from "./stream.ts";
import { byCursor, readToken, readTokens } from "./tokens.ts";
import { type Quote, tradeCalls } from "./trade-calls.ts";
import { watchToken } from "./watch-token.ts";

export { type Api, type ApiOptions, dataOf } from "./api.ts";
export type { components, operations, paths } from "./api-types.ts";
export {
  type AskedTrade,
  findContradiction,
  findTransactionContradiction,
  type TradeContracts,
} from "./check-quote.ts";
export { LaunchpadError, type Problem, type ProblemCode } from "./error.ts";
export { graphqlKeys } from "./graphql-keys.ts";
export { eventKinds, type StreamEvent, type StreamQuery } from "./stream.ts";
export { byCursor } from "./tokens.ts";
export { type Call, type Quote, tradeCalls } from "./trade-calls.ts";
export type { Token } from "./watch-token.ts";

/** The query parameters of a GET of this path. */
type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Given } } }
  ? NonNullable<Given>
  : never;

type Unpaged<Path extends keyof paths> = Omit<Query<Path>, "page" | "cursor">;

export type LaunchpadClient = ReturnType<typeof createLaunchpadClient>;

/**
 * Creates a client for the service at `baseUrl`. Anyone can write the names, symbols, descriptions and links that it returns: treat
 * them as hostile text.
 */
export function createLaunchpadClient(options: ApiOptions) {
  const api: Api = createApi(options);
  const { baseUrl, fetch = globalThis.fetch } = options;
  const stream = (query: StreamQuery = {}) => readStream(baseUrl, query, fetch);

  return {
    /** An openapi-fetch client with every endpoint. Throws a LaunchpadError if the answer is an error. */
    api,

    /** All tokens of a list, in pages of `limit` (default 100): full entries, or the fields selected by `view` or `fields`. */
    tokens: readTokens(api),

    /** One token, registered or not: all of it, or the fields selected by `fields`. */
    token: readToken(api),

    /** The holders of a token, now or `at` a past block or time, largest first, as far down as the API lists them. */
    holders: (mint: string, query: Unpaged<"/api/token/{mint}/holders"> = {}) =>
      byCursor(async (cursor) => {
        const params = { path: { mint }, query: { limit: 100, ...query, cursor } };
        const { holders, nextCursor } = await dataOf(api.GET("/api/token/{mint}/holders", { params }));
        return { entries: holders, nextCursor };
      }),

    /** The accounts of a leaderboard, from the first one on, as far down as the API lists them. */
    leaders: (query: Unpaged<"/api/leaderboard"> = {}) =>
      byCursor(async (cursor) => {
        const { leaders, nextCursor } = await dataOf(
          api.GET("/api/leaderboard", { params: { query: { limit: 100, ...query, cursor } } }),
        );
        return { entries: leaders, nextCursor };
      }),

    /** The trades of all tokens, of one token, or of one trader, newest first. */
    trades: (query: Unpaged<"/api/trades"> = {}) =>
      byCursor(async (cursor) => {
        const { trades, nextCursor } = await dataOf(
          api.GET("/api/trades", { params: { query: { limit: 100, ...query, cursor } } }),
        );
        return { entries: trades, nextCursor };
      }),

    /** The tokens that an account holds, most valuable first. */
    holdings: (address: string, query: Unpaged<"/api/account/{address}/holdings"> = {}) =>
      byCursor(async (cursor) => {
        const params = { path: { address }, query: { limit: 100, ...query, cursor } };
        const { holdings, nextCursor } = await dataOf(api.GET("/api/account/{address}/holdings", { params }));
        return { entries: holdings, nextCursor };
      }),

    /** An account's profit and loss by token, most recently traded first. */
    positions: (address: string, query: Unpaged<"/api/account/{address}/positions"> = {}) =>
      byCursor(async (cursor) => {
        const params = { path: { address }, query: { limit: 100, ...query, cursor } };
        const { positions, nextCursor } = await dataOf(
          api.GET("/api/account/{address}/positions", { params }),
        );
        return { entries: positions, nextCursor };
      }),

    /** The tokens that an account created, newest first. */
    createdTokens: (address: string, query: Unpaged<"/api/account/{address}/created-tokens"> = {}) =>
      byCursor(async (cursor) => {
        const params = { path: { address }, query: { limit: 100, ...query, cursor } };
        const { createdTokens, nextCursor } = await dataOf(
          api.GET("/api/account/{address}/created-tokens", { params }),
        );
        return { entries: createdTokens, nextCursor };
      }),

    /** A quote, and the transactions that make the trade, in the form that viem's `sendTransaction` takes. */
    async quote(mint: string, query: Query<"/api/curve/{mint}/quote">) {
      const quote: Quote = await dataOf(
        api.GET("/api/curve/{mint}/quote", { params: { path: { mint }, query } }),
      );
      return { quote, calls: () => tradeCalls(quote) };
    },

    /** Uploads an image. Use the `url` of the answer as the `imageUrl` of a registration. */
    uploadImage: (image: Blob, name = "image"): Promise<components["schemas"]["UploadedImage"]> =>
      dataOf(
        api.POST("/api/upload-image", {
          body: { file: "" },
          bodySerializer: () => {
            const form = new FormData();
            form.set("file", image, name);
            return form;
          },
        }),
      ),

    /** Events as they happen. Reconnects by itself, and misses nothing. */
    stream,

    /** The current state of a token, and again after each of its events. */
    watchToken: (mint: string, query: Pick<StreamQuery, "chainId" | "signal"> = {}) =>
      watchToken({ api, stream }, mint, query),
  };
}
