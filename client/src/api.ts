import createFetchClient, { type Client } from "openapi-fetch";
import type { paths } from "./api-types.ts";
import { errorOf } from "./error.ts";
import { patientFetch } from "./patient-fetch.ts";

/** `api.GET("/api/stats", ...)` and so on for every path of the OpenAPI document. Throws a LaunchpadError for every error. */
export type Api = Client<paths, `${string}/${string}`>;

export type ApiOptions = {
  /** Where the service is, such as `https://launchpad.example`. */
  baseUrl: string;
  /** Default: that of the platform. */
  fetch?: typeof fetch;
  /** How often to try again what is answered with 429 or 503, after as many seconds as the answer asks for. Default: 3. */
  retries?: number;
};

export function createApi({ baseUrl, fetch = globalThis.fetch, retries = 3 }: ApiOptions): Api {
  const api = createFetchClient<paths>({ baseUrl, fetch: patientFetch(fetch, retries) });
  api.use({
    async onResponse({ response }) {
      // 304 answers a caller who sent If-None-Match.
      if (!response.ok && response.status !== 304) throw await errorOf(response);
    },
  });
  return api;
}

/** The data of an answer: what has none has been thrown. */
export async function dataOf<Data>(answer: Promise<{ data?: Data }>): Promise<NonNullable<Data>> {
  const { data } = await answer;
  if (data === undefined || data === null) throw new Error("the answer has no content");
  return data;
}
