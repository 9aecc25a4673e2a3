import { retryAfter } from "./error.ts";
import { pause } from "./pause.ts";

/** With these statuses the API has changed nothing, so that any request can be sent again. */
const retried = new Set([429, 503]);

/** If the API asks to wait for longer, the caller gets the response. */
const maxWaitSeconds = 60;

/** Wraps `fetch` to wait for as long as Retry-After says and try again, up to `retries` times. */
export function fetchWithRetries(fetch: typeof globalThis.fetch, retries: number) {
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
