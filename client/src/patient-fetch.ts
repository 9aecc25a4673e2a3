import { retryAfter } from "./error.ts";
import { pause } from "./pause.ts";

/** Answers that ask for patience. The API has changed nothing then, so any request may be sent again. */
const retried = new Set([429, 503]);

/** Waits longer than this are left to the caller, seconds. */
const longestWait = 60;

/** A fetch that waits for as long as Retry-After says and tries again, up to `retries` times. */
export function patientFetch(fetch: typeof globalThis.fetch, retries: number) {
  return async (request: Request): Promise<Response> => {
    for (let left = retries; ; left--) {
      // A body can be read once.
      const response = await fetch(left > 0 ? request.clone() : request);
      const seconds = retryAfter(response);
      if (left <= 0 || seconds === undefined || seconds > longestWait || !retried.has(response.status)) {
        return response;
      }
      await response.body?.cancel();
      await pause(1_000 * seconds, request.signal);
    }
  };
}
