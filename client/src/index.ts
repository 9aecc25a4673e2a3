import { type Api, type ApiOptions, createApi, dataOf } from "./api.ts";
import type { components, paths } from "./api-types.ts";
import { byCursor, byNumber } from "./pages.ts";
import { readStream, type StreamQuery } from "./stream.ts";
import { readTokens } from "./tokens.ts";
import { type Quote, tradeCalls } from "./trade-calls.ts";
import { watchToken } from "./watch-token.ts";

export { type Api, type ApiOptions, dataOf } from "./api.ts";
export type { components, operations, paths } from "./api-types.ts";
export { LaunchpadError, type Problem, type ProblemCode } from "./error.ts";
export { byCursor, byNumber } from "./pages.ts";
export type { StreamQuery } from "./stream.ts";
export type { StreamEvent } from "./stream-event.ts";
export { type Call, type Quote, tradeCalls } from "./trade-calls.ts";
export type { Token } from "./watch-token.ts";

/** What a GET of this path takes in its query. */
type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Given } } }
  ? NonNullable<Given>
  : never;

type Unpaged<Path extends keyof paths> = Omit<Query<Path>, "page" | "cursor">;

export type LaunchpadClient = ReturnType<typeof createLaunchpadClient>;

/** A client of the service at `baseUrl`. Names, symbols, descriptions and links in what it returns are hostile text. */
export function createLaunchpadClient(options: ApiOptions) {
  const api: Api = createApi(options);
  const { baseUrl, fetch = globalThis.fetch } = options;
  const stream = (query: StreamQuery = {}) => readStream(baseUrl, query, fetch);

  return {
    /** Every endpoint, as openapi-fetch has it. Throws a LaunchpadError where the answer is an error. */
    api,

    /** All tokens of a list: as full entries, or with what `view` or `fields` ask for. */
    tokens: readTokens(api),

    /** The holders of a token, the largest first, as far down as the API goes. */
    holders: (mint: string, query: Unpaged<"/api/token/{mint}/holders"> = {}) =>
      byNumber(async (page) => {
        const { holders, hasMore } = await dataOf(
          api.GET("/api/token/{mint}/holders", {
            params: { path: { mint }, query: { limit: 100, ...query, page } },
          }),
        );
        return { entries: holders, hasMore };
      }),

    /** Trades, the newest first: of all tokens, of one, or of one trader. */
    trades: (query: Unpaged<"/api/trades"> = {}) =>
      byCursor(async (cursor) => {
        const { trades, nextCursor } = await dataOf(
          api.GET("/api/trades", { params: { query: { limit: 100, ...query, cursor } } }),
        );
        return { entries: trades, nextCursor };
      }),

    /** What an account holds, what is worth most first. */
    holdings: (address: string, query: Unpaged<"/api/account/{address}/holdings"> = {}) =>
      byCursor(async (cursor) => {
        const params = { path: { address }, query: { limit: 100, ...query, cursor } };
        const { holdings, nextCursor } = await dataOf(api.GET("/api/account/{address}/holdings", { params }));
        return { entries: holdings, nextCursor };
      }),

    /** An account's results by token, that of the last trade first. */
    positions: (address: string, query: Unpaged<"/api/account/{address}/positions"> = {}) =>
      byCursor(async (cursor) => {
        const params = { path: { address }, query: { limit: 100, ...query, cursor } };
        const { positions, nextCursor } = await dataOf(
          api.GET("/api/account/{address}/positions", { params }),
        );
        return { entries: positions, nextCursor };
      }),

    /** Tokens that an account created, the newest first. */
    createdTokens: (address: string, query: Unpaged<"/api/account/{address}/created-tokens"> = {}) =>
      byCursor(async (cursor) => {
        const params = { path: { address }, query: { limit: 100, ...query, cursor } };
        const { createdTokens, nextCursor } = await dataOf(
          api.GET("/api/account/{address}/created-tokens", { params }),
        );
        return { entries: createdTokens, nextCursor };
      }),

    /** A quote, and the transactions that make the trade, as viem's `sendTransaction` takes them. */
    async quote(mint: string, query: Query<"/api/curve/{mint}/quote">) {
      const quote: Quote = await dataOf(
        api.GET("/api/curve/{mint}/quote", { params: { path: { mint }, query } }),
      );
      return { quote, calls: () => tradeCalls(quote) };
    },

    /** Stores an image for a registration, whose imageUrl is the `url` of the answer. */
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

    /** What happens, as it happens; connects anew by itself, and misses nothing. */
    stream,

    /** A token as it is, and again after each of its events. */
    watchToken: (mint: string, query: Pick<StreamQuery, "chainId" | "signal"> = {}) =>
      watchToken({ api, stream }, mint, query),
  };
}
