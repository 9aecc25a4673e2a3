import createFetchClient, { type Client } from "openapi-fetch";
import type { paths } from "./api-types.ts";
import { readError, retryAfter } from "./error.ts";

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

/** With these statuses the API has changed nothing, so that any request can be sent again. */
const retried = new Set([429, 503]);

/** If the API asks to wait for longer, the caller gets the response. */
const maxWaitSeconds = 60;

/** Wraps `fetch` to wait for as long as Retry-After says and try again, up to `retries` times. */
function fetchWithRetries(fetch: typeof globalThis.fetch, retries: number) {
  return async (request: Request): Promise<Response> => {
    for (let left = retries; ; left--) {
      // Cloned, because a body can be read only once.
      const response = await fetch(left > 0 ? request.clone() : request);
      const seconds = retryAfter(response);
      if (left <= 0 || seconds === undefined || seconds > maxWaitSeconds || !retried.has(response.status)) {
        return response;
      }
      await response.body?.cancel();
      await pause(1_000 * seconds, request.signal);
    }
  };
}

/** Resolves after `ms` milliseconds. Rejects with the signal's reason if it aborts first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
