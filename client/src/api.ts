import createFetchClient, { type Client } from "openapi-fetch";
import type { paths } from "./api-types.ts";
import { readError } from "./error.ts";
import { fetchWithRetries } from "./fetch-with-retries.ts";

/**
 * `api.GET("/api/stats", ...)` and so on, for every path of the OpenAPI document. Throws a LaunchpadError for every error. Answers are
 * typed as JSON: to get another media type, name it in the header `accept` and set `parseAs`.
 */
export type Api = Client<paths, "application/json">;

export type ApiOptions = {
  /** The URL of the service, such as `https://launchpad.example`. */
  baseUrl: string;
  /** Default: the platform's `fetch`. */
  fetch?: typeof fetch;
  /** How often to retry a request that is answered with 429 or 503, waiting as long as the answer asks. Default: 3. */
  retries?: number;
};

export function createApi({ baseUrl, fetch = globalThis.fetch, retries = 3 }: ApiOptions): Api {
  const api = createFetchClient<paths, "application/json">({
    baseUrl,
    fetch: fetchWithRetries(fetch, retries),
  });
  api.use({
    async onResponse({ response }) {
      // 304 is the expected answer to If-None-Match.
      if (!response.ok && response.status !== 304) throw await readError(response);
    },
  });
  return api;
}

/** Returns the data of an answer. Throws if it has none; errors of the API have been thrown before. */
export async function dataOf<Data>(answer: Promise<{ data?: Data }>): Promise<NonNullable<Data>> {
  const { data } = await answer;
  if (data === undefined || data === null) throw new Error("the answer has no content");
  return data;
}
